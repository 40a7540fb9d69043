internal import CommandLineOptions
internal import EventLoop
internal import FleetWire
internal import MessageTransport
internal import MosquittoTransport
internal import Positioning
internal import RemoteLocation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// `fixcast watch`: one loop on the calling thread, from the broker's socket to the standard output.
///
/// `@unchecked Sendable`: the transport calls its handler on the loop, and everything else here runs on the loop's
/// thread, which is the one that calls ``run()``.
final class Watch: @unchecked Sendable {
    private let settings: WatchSettings
    private let loop: EventLoop
    private let transport: MosquittoTransport
    private let formatter: WatchFormatter
    private var vehicles: WatchedVehicles
    /// The deadline for which each vehicle's timer is set: one timer a vehicle, set anew only when it has passed.
    private var armed: [VehicleID: MonotonicInstant] = [:]
    private var line: [UInt8] = []
    private var positions = 0
    private var hasConnected = false
    private var lastComplaint: String?
    private var refused: Set<String> = []
    private var isStopping = false
    private var failure: WatchFailure?

    init(_ settings: WatchSettings) throws(WatchFailure) {
        self.settings = settings
        do throws(EventLoopError) {
            loop = try EventLoop()
        } catch {
            throw WatchFailure(code: .unavailable, message: "the process has no descriptors left")
        }
        transport = MosquittoTransport(configuration: settings.broker, loop: loop)
        formatter = WatchFormatter(format: settings.format)
        vehicles = WatchedVehicles(root: settings.root, vehicle: settings.vehicle)
    }

    /// Watches until a signal, the count or the end of the reader.
    func run() throws(WatchFailure) {
        for signal in [SIGINT, SIGTERM] { loop.onSignal(signal) { [self] in stop() } }
        emit(formatter.header)
        transport.start { [self] in take($0) }
        loop.run()
        if let failure { throw failure }
    }

    private var now: MonotonicInstant { MonotonicInstant(nanoseconds: EventLoop.now()) }
    private var utc: UTCInstant { UTCInstant(milliseconds: EventLoop.wallClock()) }

    private func take(_ event: TransportEvent) {
        switch event {
        case .connected:
            if lastComplaint != nil { complain("\(settings.broker.address): connected", once: false) }
            (hasConnected, lastComplaint) = (true, nil)
            show(vehicles.linkChanged(isUp: true, now: now, utc: utc))
            transport.subscribe(vehicles.subscriptions)
        case .disconnected(let failure): takeFailure(failure)
        case .subscribed(let refused): takeRefusals(refused)
        case .message(let message): take(message)
        case .completed: break
        case .stopped: loop.stop()
        }
    }

    private func take(_ message: IncomingMessage) {
        guard !isStopping else { return }
        do throws(WatchedVehicles.Problem) {
            let trusted = ClockTrust.trusted(utc)
            guard let heard = try vehicles.receive(message, now: now, utc: utc, trusted: trusted) else { return }
            show(heard.events)
            arm(heard.vehicle)
        } catch {
            switch error {
            case .malformed(let error):
                complain("\(message.topic): \(error): \(WireError.excerpt(message.payload))", once: false)
            case .tooMany: complain("more than \(WatchedVehicles.limit) vehicles: the rest is not followed", once: true)
            }
        }
    }

    private func takeFailure(_ failure: TransportFailure) {
        show(vehicles.linkChanged(isUp: false, now: now, utc: utc))
        let message = "\(settings.broker.address): \(failure.message)"
        switch failure.kind {
        case .configuration: return end(WatchFailure(code: .configuration, message: message))
        // What was refused from the start needs a person; what once worked may work again.
        case .authentication where !hasConnected, .tls where !hasConnected:
            return end(WatchFailure(code: .unavailable, message: message))
        default: if !isStopping { complain(message + "; trying again", once: true) }
        }
    }

    private func takeRefusals(_ refused: [String: ReasonCode]) {
        for (filter, reason) in refused.sorted(by: { $0.key < $1.key }) {
            complain("the broker refuses a subscription to \(filter) (reason \(reason.rawValue))", once: false)
            self.refused.insert(filter)
        }
        if self.refused.count == vehicles.subscriptions.count {
            end(WatchFailure(code: .unavailable, message: "the broker lets this user read nothing here"))
        }
    }

    private func arm(_ id: VehicleID) {
        guard let deadline = vehicles.deadline(of: id) else { return }
        if let earlier = armed[id], earlier <= deadline { return }
        armed[id] = deadline
        loop.schedule(at: deadline.nanoseconds) { [self] in
            guard armed[id] == deadline else { return }
            armed[id] = nil
            show(vehicles.deadlinePassed(id, now: now, utc: utc))
            arm(id)
        }
    }

    private func show(_ events: [WatchEvent]) {
        for event in events where !isStopping {
            line.removeAll(keepingCapacity: true)
            formatter.append(event, to: &line)
            emit(line)
            guard case .position = event else { continue }
            positions += 1
            if positions == settings.count { stop() }
        }
    }

    private func emit(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        do throws(StandardOutput.Failure) {
            try StandardOutput.write(bytes)
        } catch {
            switch error {
            // A reader that has seen enough is no error.
            case .closed: stop()
            case .system(let code):
                end(
                    WatchFailure(
                        code: .inputOutput,
                        message: "the output cannot be written: \(unsafe String(cString: strerror(code)))"))
            }
        }
    }

    private func complain(_ message: String, once: Bool) {
        if once, message == lastComplaint { return }
        if once { lastComplaint = message }
        StandardError.write("fixcast: \(message)")
    }

    private func end(_ failure: WatchFailure) {
        self.failure = self.failure ?? failure
        stop()
    }

    private func stop() {
        guard !isStopping else { return loop.stop() }
        isStopping = true
        transport.stop()
        // A broker that does not take the farewell does not keep this program.
        loop.schedule(at: EventLoop.now() + 2_000_000_000) { [self] in loop.stop() }
    }
}
