internal import Delivery
internal import EventLoop
internal import FleetWire
internal import MessageTransport
internal import MosquittoTransport
internal import Outbox
internal import Positioning

/// Sends everything that waits in an outbox to a broker, unpaced: the agent's queue, machine, encoding and transport.
///
/// Sendable because everything but `init` and `run` happens on the loop, which the thread of these serves.
final class OutboxDrain: @unchecked Sendable {
    private let loop: EventLoop
    private let transport: MosquittoTransport
    private var delivery: DeliveryMachine<Outbox>
    private let reports: Int
    private var buffer: [UInt8] = []
    private var started = 0.0
    private var ended = 0.0
    private var bytes = 0
    private var messages = 0
    private var failure: String?

    init(_ settings: OutboxPart.Settings) throws(BenchmarkError) {
        do throws(EventLoopError) { loop = try EventLoop() } catch { throw BenchmarkError("no event loop: \(error)") }
        let outbox = try OutboxPart.outbox(settings, boot: 2, now: MonotonicInstant(nanoseconds: EventLoop.now()))
        reports = outbox.waitingCount
        delivery = DeliveryMachine(queue: outbox)
        transport = MosquittoTransport(
            configuration: MosquittoConfiguration(
                address: BrokerAddress(host: "127.0.0.1", port: settings.port, usesTLS: false),
                clientID: "bench-drain"), loop: loop)
    }

    func run() throws(BenchmarkError) -> [(name: String, value: Double)] {
        let cpu = Clock.processorTime()
        transport.start { [self] event in handle(event) }
        loop.run()
        if let failure { throw BenchmarkError("the broker cannot be used: \(failure)") }
        guard delivery.counters.track == reports, delivery.queue.waitingCount == 0 else {
            throw BenchmarkError("only \(delivery.counters.track) of \(reports) reports were sent")
        }
        return [
            ("rate", Double(reports) / (ended - started)),
            ("cpu", (Clock.processorTime() - cpu) / Double(reports) * 1e6),
            ("bytes", Double(bytes) / Double(reports)), ("memory", Double(OutboxPart.peakMemory())),
        ]
    }

    private var now: MonotonicInstant { MonotonicInstant(nanoseconds: EventLoop.now()) }

    private func handle(_ event: TransportEvent) {
        switch event {
        case .connected(let capabilities):
            started = Clock.now()
            delivery.connected(receiveMaximum: capabilities.receiveMaximum, now: now, random: 0)
            pump()
        case .completed(let id, let outcome):
            guard outcome == .accepted || outcome == .acceptedWithoutSubscribers else {
                return fail("\(outcome)")
            }
            delivery.completed(token: id.number, .delivered, now: now)
            pump()
        case .disconnected(let cause): if ended == 0 { fail(cause.message) }
        case .stopped: loop.stop()
        case .subscribed, .message: break
        }
    }

    private func fail(_ cause: String) {
        failure = failure ?? cause
        transport.stop()
    }

    private func pump() {
        while let handover = delivery.next(now: now) {
            guard case .track(let reports) = handover else { return fail("a live report in a backlog") }
            buffer.removeAll(keepingCapacity: true)
            CompactTrack.encode(reports, into: &buffer)
            bytes += buffer.count
            messages += 1
            switch transport.publish(OutgoingMessage(topic: "fleet/bench/track", payload: buffer)) {
            case .pending(let id): delivery.handedOver(token: id.number, bytes: buffer.count, now: now)
            case .settled(let outcome): return fail("\(outcome)")
            }
        }
        guard delivery.isIdle, ended == 0 else { return }
        ended = Clock.now()
        delivery.close(now: now)
        transport.stop()
    }
}
