internal import EventLoop
internal import MessageTransport

/// When to connect, to wait, to give up and to stop: a pure machine; time is an argument in nanoseconds of the loop's
/// clock. Every connect attempt has a number; what comes back for an older one is ignored.
struct ConnectionMachine: Equatable {
    enum Phase: Equatable {
        /// Becomes `connecting` or `stopped`.
        case idle
        /// A helper thread resolves the name and connects; becomes `handshaking`, `waiting` or `stopped`.
        case connecting(deadline: Int64)
        /// The CONNACK is awaited; becomes `connected`, `waiting` or `stopped`.
        case handshaking(deadline: Int64)
        /// Becomes `waiting` or `disconnecting`.
        case connected(since: Int64)
        /// Between two attempts; becomes `connecting` or `stopped`.
        case waiting(until: Int64)
        /// The DISCONNECT is being written; becomes `stopped`.
        case disconnecting(deadline: Int64)
        /// Final.
        case stopped
    }

    /// What the broker made us leave out of the will.
    struct WillLimits: Equatable {
        var retain = true
        var qos = QualityOfService.atLeastOnce
    }

    enum Action: Equatable {
        case connect(attempt: UInt64, cleanStart: Bool, limits: WillLimits)
        /// Serve the connection that the attempt made.
        case adopt
        /// Write a DISCONNECT.
        case disconnect
        /// Destroy the library's handle, if there is one.
        case destroy
        case tell(TransportEvent)
    }

    private(set) var phase = Phase.idle
    private(set) var attempt: UInt64 = 0
    private var limits = WillLimits()
    private var backoff: Backoff
    private var everConnected = false
    private let keepsSession: Bool
    private let takesUpSession: Bool
    private let connectTimeout: Int64

    init(_ configuration: MosquittoConfiguration) {
        backoff = Backoff(
            initial: configuration.backoff.initial, maximum: configuration.backoff.maximum,
            stableAfter: configuration.backoff.stableAfter)
        keepsSession = configuration.sessionExpiry > 0
        takesUpSession = configuration.takesUpSession
        connectTimeout = configuration.connectTimeout
    }

    /// When ``deadlinePassed(now:random:)`` is due.
    var nextDeadline: Int64? {
        switch phase {
        case .connecting(let deadline), .handshaking(let deadline), .disconnecting(let deadline): deadline
        case .waiting(let until): until
        case .idle, .connected, .stopped: nil
        }
    }

    var isConnected: Bool {
        if case .connected = phase { return true }
        return false
    }

    mutating func start(now: Int64) -> [Action] {
        guard phase == .idle else { return [] }
        return connect(now)
    }

    /// The helper thread is back: connected on TCP (and TLS under way), or failed.
    mutating func connectReturned(
        attempt: UInt64, failure: TransportFailure?, now: Int64, random: Double
    ) -> [Action] {
        guard attempt == self.attempt, case .connecting = phase else { return [] }
        if let failure { return fail(failure, now, random) }
        phase = .handshaking(deadline: now + connectTimeout)
        return [.adopt]
    }

    mutating func accepted(_ capabilities: BrokerCapabilities, now: Int64) -> [Action] {
        guard case .handshaking = phase else { return [] }
        phase = .connected(since: now)
        everConnected = true
        return [.tell(.connected(capabilities))]
    }

    /// The broker refused, or the connection broke.
    mutating func failed(_ failure: TransportFailure, now: Int64, random: Double) -> [Action] {
        switch phase {
        case .handshaking, .connected: return fail(failure, now, random)
        case .disconnecting: return finish()
        case .idle, .connecting, .waiting, .stopped: return []
        }
    }

    mutating func deadlinePassed(now: Int64, random: Double) -> [Action] {
        guard let deadline = nextDeadline, deadline <= now else { return [] }
        switch phase {
        case .connecting:
            return fail(TransportFailure(.unreachable, "no connection within the time allowed"), now, random)
        case .handshaking:
            return fail(TransportFailure(.unreachable, "the broker does not answer the CONNECT"), now, random)
        case .waiting: return connect(now)
        case .disconnecting: return finish()
        case .idle, .connected, .stopped: return []
        }
    }

    mutating func stop(now: Int64) -> [Action] {
        switch phase {
        case .connected:
            phase = .disconnecting(deadline: now + 1_000_000_000)
            return [.disconnect]
        case .idle, .connecting, .handshaking, .waiting: return finish()
        case .disconnecting, .stopped: return []
        }
    }

    /// Everything handed to the library, the DISCONNECT included, is written.
    mutating func flushed() -> [Action] {
        guard case .disconnecting = phase else { return [] }
        return finish()
    }

    private mutating func connect(_ now: Int64) -> [Action] {
        attempt += 1
        phase = .connecting(deadline: now + connectTimeout)
        let cleanStart = !(keepsSession && (everConnected || takesUpSession))
        return [.connect(attempt: attempt, cleanStart: cleanStart, limits: limits)]
    }

    private mutating func fail(_ failure: TransportFailure, _ now: Int64, _ random: Double) -> [Action] {
        // A session taken over is no sign of a good connection: two clients with one id must not fight at full speed. Most
        // brokers do not say that it was taken over; then the connection lasted for as long as the other client waited,
        // which grows as this one's delay does.
        if case .connected(let since) = phase, failure.kind != .takenOver, now - since >= 2 * backoff.ceiling {
            backoff.connectionEnded(after: now - since)
        }
        var delay = backoff.next(random: random)
        if failure.reason == .retainNotSupported, limits.retain {
            limits.retain = false
            delay = 0
        }
        if failure.reason == .qosNotSupported, limits.qos > .atMostOnce {
            limits.qos = .atMostOnce
            delay = 0
        }
        phase = .waiting(until: now + delay)
        return [.destroy, .tell(.disconnected(failure))]
    }

    private mutating func finish() -> [Action] {
        phase = .stopped
        return [.destroy, .tell(.stopped)]
    }
}
