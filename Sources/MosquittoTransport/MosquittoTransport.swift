internal import CMosquitto
public import EventLoop
public import MessageTransport
internal import Synchronization

/// The transport over libmosquitto, served by one ``EventLoop/EventLoop``: no thread of the library, one handle per
/// connection, reconnects by itself with jittered, capped back-off.
///
/// Events are delivered on the loop. Sendable because everything behind the public methods is confined to the loop's
/// thread: calls from other threads are passed to it as jobs.
public final class MosquittoTransport: MessageTransport, @unchecked Sendable {
    private let configuration: MosquittoConfiguration
    private let loop: EventLoop
    private let will: @Sendable (UInt64) -> OutgoingMessage?
    private let lastNumber = Atomic<UInt64>(0)

    private var machine: ConnectionMachine
    private var outstanding = OutstandingPublishes()
    private var subscriptions: [Int32: String] = [:]
    private var handler: (@Sendable (TransportEvent) -> Void)?
    private var handle: MosquittoHandle?
    private var watch: Watch?
    private var timer: LoopTimer?
    private var timerDeadline: Int64 = .max
    private var serveTimer: LoopTimer?
    private var capabilities = BrokerCapabilities()
    private var isDraining = false
    private var pendingFailure: TransportFailure?

    /// - Parameter will: makes the message that the broker publishes when the connection with this number is lost;
    ///   called on the loop before each attempt to connect. Numbers count up from 1.
    public init(
        configuration: MosquittoConfiguration, loop: EventLoop,
        will: @escaping @Sendable (_ connection: UInt64) -> OutgoingMessage? = { _ in nil }
    ) {
        self.configuration = configuration
        self.loop = loop
        self.will = will
        machine = ConnectionMachine(configuration)
    }

    // MARK: MessageTransport

    public func start(_ handler: @escaping @Sendable (TransportEvent) -> Void) {
        onLoop { [self] in
            self.handler = handler
            perform(machine.start(now: EventLoop.now()))
        }
    }

    public func subscribe(_ subscriptions: [Subscription]) {
        onLoop { [self] in
            guard machine.isConnected, let handle else { return }
            for subscription in subscriptions {
                let (code, mid) = handle.subscribe(subscription)
                if code == 0 { self.subscriptions[mid] = subscription.filter } else { failSoon(handle.failure(code)) }
            }
            updateInterest()
        }
    }

    @discardableResult
    public func publish(_ message: OutgoingMessage) -> PublishReceipt {
        if loop.isOnLoop { return publishOnLoop(message) }
        let id = nextID()
        loop.execute { [self] in
            switch publishOnLoop(message, as: id) {
            case .settled(let outcome): handler?(.completed(id, outcome))
            case .pending: break
            }
        }
        return .pending(id)
    }

    public func stop() {
        onLoop { [self] in perform(machine.stop(now: EventLoop.now())) }
    }

    private func onLoop(_ job: @escaping @Sendable () -> Void) {
        if loop.isOnLoop { job() } else { loop.execute(job) }
    }

    private func nextID() -> PublishID {
        PublishID(number: lastNumber.add(1, ordering: .relaxed).newValue)
    }

    private func publishOnLoop(_ message: OutgoingMessage, as id: PublishID? = nil) -> PublishReceipt {
        guard machine.isConnected, pendingFailure == nil, let handle else { return .settled(.notConnected) }
        let qos = min(message.qos, capabilities.maximumQoS)
        // The library's own check lets a message through that is one byte too long, and then ends the process.
        if let limit = capabilities.maximumPacketSize,
            message.packetLength(qos: qos, isVersion5: configuration.version == .v5) > limit
        {
            return .settled(.tooLarge(limit: limit))
        }
        let (code, mid) = handle.publish(message, qos: qos, retain: message.retain && capabilities.retainAvailable)
        switch mosq_err_t(code) {
        case MOSQ_ERR_SUCCESS: break
        case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE:
            return .settled(.tooLarge(limit: capabilities.maximumPacketSize ?? 268_435_455))
        case MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8:
            return .settled(.refused(ReasonCode(rawValue: 0x90)))
        default:
            // The connection broke while it was written; the library may or may not have sent it.
            failSoon(handle.failure(code))
            return .settled(.unknown)
        }
        if qos == .atMostOnce { handle.inbox.forgetLast(mid: mid) }
        let backedUp = handle.wantsToWrite
        if backedUp { updateInterest() }
        if qos == .atMostOnce, !backedUp { return .settled(.accepted) }
        let id = id ?? nextID()
        outstanding.append(mid: qos == .atMostOnce ? nil : mid, id: id, at: EventLoop.now())
        return .pending(id)
    }

    // MARK: Machine

    private func perform(_ actions: [ConnectionMachine.Action]) {
        for action in actions {
            switch action {
            case .connect(let attempt, let cleanStart, let limits): connect(attempt, cleanStart, limits)
            case .adopt: adopt()
            case .disconnect:
                handle?.disconnect()
                settle()
            case .destroy: destroy()
            case .tell(let event): handler?(event)
            }
        }
        setTimer()
    }

    private func setTimer() {
        let deadline = machine.nextDeadline ?? .max
        guard deadline != timerDeadline else { return }
        timer?.cancel()
        timerDeadline = deadline
        guard deadline < .max else { return }
        timer = loop.schedule(at: deadline) { [self] in
            timerDeadline = .max
            perform(machine.deadlinePassed(now: EventLoop.now(), random: .random(in: 0..<1)))
        }
    }

    private func connect(_ attempt: UInt64, _ cleanStart: Bool, _ limits: ConnectionMachine.WillLimits) {
        var will = will(attempt)
        if !limits.retain { will?.retain = false }
        if limits.qos == .atMostOnce { will?.qos = .atMostOnce }
        do throws(TransportFailure) {
            let handle = try MosquittoHandle(configuration, cleanStart: cleanStart, will: will)
            try connect(handle, attempt)
        } catch {
            // Told later, not inside the call that started the attempt.
            loop.execute { [self] in connectReturned(attempt, nil, error) }
        }
    }

    private func connect(_ handle: MosquittoHandle, _ attempt: UInt64) throws(TransportFailure) {
        let loop = loop
        do {
            try BackgroundThread.start { [self] in
                let failure = handle.connect()
                loop.execute { [self] in connectReturned(attempt, handle, failure) }
            }
        } catch {
            throw TransportFailure(.unreachable, "no thread for the connection to be had")
        }
    }

    private func connectReturned(_ attempt: UInt64, _ handle: MosquittoHandle?, _ failure: TransportFailure?) {
        if attempt == machine.attempt, failure == nil, case .connecting = machine.phase { self.handle = handle }
        perform(
            machine.connectReturned(
                attempt: attempt, failure: failure, now: EventLoop.now(), random: .random(in: 0..<1)))
    }

    private func adopt() {
        guard let handle, handle.socket >= 0 else {
            return failSoon(TransportFailure(.lost, "the connection was closed"))
        }
        watch = loop.watch(handle.socket, for: .read) { [self] in serve($0) }
        updateInterest()
        serveRegularly()
    }

    private func destroy() {
        watch?.cancel()
        watch = nil
        serveTimer?.cancel()
        serveTimer = nil
        handle = nil
        pendingFailure = nil
        subscriptions.removeAll()
        for id in outstanding.removeAll() { handler?(.completed(id, .unknown)) }
    }

    // MARK: Socket

    private func serve(_ ready: Readiness) {
        guard let handle else { return }
        var code: Int32 = 0
        if ready.contains(.write) { code = handle.write() }
        if code == 0, !ready.isDisjoint(with: [.read, .failed]) { code = handle.read() }
        afterLibrary(code, handle)
    }

    /// Keep alive and time limits; a quarter of the keep alive is early enough for a broker that allows one and a half.
    private func serveRegularly() {
        let keepAlive = capabilities.serverKeepAlive ?? configuration.keepAlive
        let seconds = keepAlive == 0 ? 5 : max(1, min(5, keepAlive / 4))
        serveTimer = loop.schedule(at: EventLoop.now() + Int64(seconds) * 1_000_000_000) { [self] in
            guard let handle else { return }
            afterLibrary(handle.serve(), handle)
            let limit = EventLoop.now() - configuration.acknowledgeTimeout
            if let oldest = outstanding.oldest, oldest < limit {
                failSoon(TransportFailure(.lost, "the broker does not acknowledge"))
            }
            if self.handle != nil { serveRegularly() }
        }
    }

    private func afterLibrary(_ code: Int32, _ handle: MosquittoHandle) {
        // The library closes the socket with an error, and silently after the broker's DISCONNECT: unwatch at once,
        // before its number is given out again.
        let isClosed = code != 0 || handle.socket < 0
        if isClosed {
            watch?.cancel()
            watch = nil
        }
        drain(handle)
        guard self.handle === handle else { return }
        if isClosed {
            fail(pendingFailure ?? handle.failure(code == 0 ? MosquittoHandle.connectionLost : code))
        } else {
            settle()
        }
    }

    /// Writes that were waiting are done once the library wants to write no more.
    private func settle() {
        guard let handle else { return }
        updateInterest()
        guard !handle.wantsToWrite else { return }
        for id in outstanding.removeWritten() { handler?(.completed(id, .accepted)) }
        perform(machine.flushed())
    }

    private func updateInterest() {
        guard let handle else { return }
        watch?.interest = handle.wantsToWrite ? [.read, .write] : .read
    }

    private func drain(_ handle: MosquittoHandle) {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        var index = 0
        while index < handle.inbox.entries.count {
            take(handle.inbox.entries[index], handle)
            index += 1
            // A handler may have stopped the transport.
            guard self.handle === handle else { return }
        }
        handle.inbox.entries.removeAll(keepingCapacity: true)
    }

    private func take(_ entry: CallbackInbox.Entry, _ handle: MosquittoHandle) {
        switch entry {
        case .connack(0, let capabilities):
            self.capabilities = capabilities
            handle.stopListeningToLog()
            perform(machine.accepted(capabilities, now: EventLoop.now()))
        case .connack(let code, _):
            fail(MosquittoFailure.make(reason: code, established: false))
        case .published(let mid, let reason):
            guard let id = outstanding.remove(mid: mid) else { return }
            handler?(.completed(id, PublishOutcome(reason)))
        case .subscribed(let mid, let granted):
            guard let filter = subscriptions.removeValue(forKey: mid) else { return }
            let refused = granted.first { $0 >= 0x80 }
            handler?(.subscribed(refused: refused.map { [filter: ReasonCode(rawValue: UInt8(clamping: $0))] } ?? [:]))
        case .message(let message):
            handler?(.message(message))
        case .disconnected(let code):
            // From 0x80 it is the reason of the broker's own DISCONNECT; the return code of the call tells the rest.
            if code >= 0x80 { pendingFailure = MosquittoFailure.make(reason: code, established: true) }
        }
    }

    private func fail(_ failure: TransportFailure) {
        perform(machine.failed(failure, now: EventLoop.now(), random: .random(in: 0..<1)))
    }

    /// Fails outside the caller's own call into this transport.
    private func failSoon(_ failure: TransportFailure) {
        guard pendingFailure == nil, let handle else { return }
        pendingFailure = failure
        loop.execute { [self] in
            if self.handle === handle { fail(failure) }
        }
    }
}

extension PublishOutcome {
    /// The reason code of a PUBACK.
    fileprivate init(_ reason: UInt8) {
        switch reason {
        case 0x10: self = .acceptedWithoutSubscribers
        case 0..<0x80: self = .accepted
        default: self = .refused(ReasonCode(rawValue: reason))
        }
    }
}
