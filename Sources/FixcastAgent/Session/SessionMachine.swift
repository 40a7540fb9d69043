/// One agent's conversation with the broker beside the reports: reading its own availability before the first birth,
/// birth, changes, repair of what others left on its topic, and the clean stop (WIRE.md, Identity and Availability).
/// A pure machine; time is an argument in nanoseconds of the loop's clock.
struct SessionMachine: Equatable {
    enum Phase: Equatable {
        /// Becomes `probing`, `online` or `stopped`.
        case offline
        /// The first connection of a boot that is not its instance's first: what the broker retains is read before the
        /// birth. Becomes `online`, `leaving` or `offline` (also to connect anew).
        case probing(until: Int64)
        /// The birth is published. Becomes `offline`, `draining` or `stopped`.
        case online
        /// Stopping: reports that are under way may still be acknowledged. Becomes `leaving`, `offline` or `stopped`.
        case draining(until: Int64)
        /// Stopping: the acknowledgement of `stopped` is awaited. Becomes `stopped`.
        case leaving(until: Int64)
        /// Final.
        case stopped
    }

    /// How a connection ended, as far as another client of the same id matters.
    enum EndOfConnection: Equatable {
        /// The broker says that the session was taken over (MQTT 5, 0x8E).
        case takenOver
        /// It was closed and nothing says why.
        case unexplained
        case explained
    }

    /// What an availability message on the agent's own topic says.
    enum Seen: Equatable {
        /// One of this instance.
        case own(boot: UInt64, connection: UInt64)
        /// A living agent of another instance.
        case otherAgent
        /// Another instance's will, an unreadable one, or the topic was cleared.
        case foreign
    }

    enum Publication: Equatable { case birth, change, repair, stopped }

    enum Action: Equatable {
        case subscribeToOwnAvailability
        case takeNewInstance
        /// Connect anew: the will of this connection names what is no longer so.
        case reconnect
        case publish(Publication)
        case openDelivery
        case closeDelivery
        case stopTransport
        case tell(Warning)
    }

    enum Warning: Equatable {
        /// The retained availability was of this instance and a boot at or above this one.
        case restoredImage(boot: UInt64)
        /// Something else writes to the agent's availability topic.
        case foreignAvailability
        /// The agent may not read its own availability: it cannot repair it.
        case cannotReadOwnAvailability
        /// MQTT 3.1.1 acknowledges what it denies: the agent's own birth never came back.
        case birthNotSeen
        /// Another agent takes this one's session over again and again.
        case clientIDInUse
        /// The acknowledgement of `stopped` did not come in time.
        case stopNotAcknowledged
    }

    private(set) var phase = Phase.offline
    private let isFirstBoot: Bool
    private let canTellDenial: Bool
    private var hasProbed = false
    private var boot: UInt64
    private var connection: UInt64 = 0
    private var isReadable = true
    /// Whether this connection's birth came back: what comes before it on the topic, the birth replaces.
    private var birthSeen = false
    private var birthExpectedUntil: Int64?
    /// Whether the last connection ended without a reason, as it does when most brokers give its session to another client.
    private var endedUnexplained = false
    /// How many times in a row such an end was followed by another agent's state on the topic.
    private var takeovers = 0
    private var repairNotBefore: Int64 = .min
    private var repairDelay: Int64 = SessionMachine.shortestRepairDelay
    private var repairPendingAt: Int64?

    private static let takeoversToTell = 2
    private static let probeTime: Int64 = 1_000_000_000
    private static let echoTime: Int64 = 10_000_000_000
    private static let drainTime: Int64 = 2_000_000_000
    private static let stopTime: Int64 = 5_000_000_000
    private static let shortestRepairDelay: Int64 = 1_000_000_000
    private static let longestRepairDelay: Int64 = 60_000_000_000

    /// - Parameters:
    ///   - isFirstBoot: nothing of a new instance can be retained, so nothing is read before its birth.
    ///   - canTellDenial: MQTT 5 says when a publish is denied; 3.1.1 does not.
    init(boot: UInt64, isFirstBoot: Bool, canTellDenial: Bool) {
        self.boot = boot
        self.isFirstBoot = isFirstBoot
        self.canTellDenial = canTellDenial
    }

    var isOnline: Bool { phase == .online }

    var isStopped: Bool { phase == .stopped }

    /// Whether ``drained(now:)`` is waited for.
    var isDraining: Bool { if case .draining = phase { true } else { false } }

    /// When ``deadlinePassed(now:)`` is due.
    var nextDeadline: Int64? {
        switch phase {
        case .probing(let until), .draining(let until), .leaving(let until): until
        case .online:
            switch (birthExpectedUntil, repairPendingAt) {
            case (let birth?, let repair?): min(birth, repair)
            case (let birth, let repair): birth ?? repair
            }
        case .offline, .stopped: nil
        }
    }

    mutating func connected(connection: UInt64, now: Int64) -> [Action] {
        guard phase == .offline else { return [] }
        self.connection = connection
        isReadable = true
        repairPendingAt = nil
        if isFirstBoot { hasProbed = true }
        guard !hasProbed else { return [.subscribeToOwnAvailability] + goOnline(now) }
        phase = .probing(until: now + Self.probeTime)
        return [.subscribeToOwnAvailability]
    }

    /// The connection ended.
    ///
    /// - Parameter cause: what is known of a takeover.
    mutating func disconnected(_ cause: EndOfConnection = .explained) -> [Action] {
        // An attempt that failed tells nothing about the connection before.
        if isOnline { endedUnexplained = cause == .unexplained }
        guard cause == .takenOver else { return ended() }
        return ended() + [.tell(.clientIDInUse)]
    }

    private mutating func ended() -> [Action] {
        switch phase {
        case .probing: phase = .offline
        case .online:
            phase = .offline
            return [.closeDelivery]
        case .draining, .leaving:
            phase = .stopped
            return [.closeDelivery, .stopTransport]
        case .offline, .stopped: break
        }
        return []
    }

    /// The broker answered the subscription to the agent's own availability.
    mutating func subscribed(refused: Bool, now: Int64) -> [Action] {
        guard refused else { return [] }
        isReadable = false
        birthExpectedUntil = nil
        let warning = [Action.tell(.cannotReadOwnAvailability)]
        guard case .probing = phase else { return warning }
        hasProbed = true
        return warning + goOnline(now)
    }

    /// A message came on the agent's own availability topic.
    mutating func seen(_ seen: Seen, now: Int64) -> [Action] {
        switch phase {
        case .probing:
            hasProbed = true
            if case .own(let boot, _) = seen, boot >= self.boot {
                self.boot = 1
                phase = .offline
                return [.tell(.restoredImage(boot: boot)), .takeNewInstance, .reconnect]
            }
            // Older or foreign: the birth that follows replaces it.
            return goOnline(now)
        case .online:
            if seen == .own(boot: boot, connection: connection) {
                birthSeen = true
                birthExpectedUntil = nil
                // Nobody spoke meanwhile.
                if endedUnexplained { takeovers = 0 }
                return []
            }
            if birthSeen { return repair(now) }
            return seen == .otherAgent ? suspectTakeover() : []
        case .offline, .draining, .leaving, .stopped: return []
        }
    }

    /// The agent's availability changed.
    func changed() -> [Action] { isOnline ? [.publish(.change)] : [] }

    /// Nothing is waiting or unacknowledged any more.
    mutating func drained(now: Int64) -> [Action] {
        guard case .draining = phase else { return [] }
        return leave(now)
    }

    /// The broker has `stopped`, or refused it.
    mutating func stopSettled() -> [Action] {
        guard case .leaving = phase else { return [] }
        phase = .stopped
        return [.stopTransport]
    }

    mutating func stop(now: Int64) -> [Action] {
        switch phase {
        case .online:
            phase = .draining(until: now + Self.drainTime)
            return []
        case .probing:
            // What an earlier boot left retained may say that the vehicle is available.
            return leave(now)
        case .offline:
            phase = .stopped
            return [.stopTransport]
        case .draining, .leaving, .stopped: return []
        }
    }

    mutating func deadlinePassed(now: Int64) -> [Action] {
        guard let deadline = nextDeadline, deadline <= now else { return [] }
        switch phase {
        case .probing:
            hasProbed = true
            return goOnline(now)
        case .online: return onlineDeadline(now)
        case .draining: return leave(now)
        case .leaving:
            phase = .stopped
            return [.tell(.stopNotAcknowledged), .stopTransport]
        case .offline, .stopped: return []
        }
    }

    private mutating func onlineDeadline(_ now: Int64) -> [Action] {
        var actions: [Action] = []
        if let expected = birthExpectedUntil, expected <= now {
            birthExpectedUntil = nil
            actions.append(.tell(.birthNotSeen))
        }
        if let pending = repairPendingAt, pending <= now {
            repairPendingAt = nil
            actions.append(.publish(.repair))
        }
        return actions
    }

    private mutating func goOnline(_ now: Int64) -> [Action] {
        phase = .online
        birthSeen = false
        birthExpectedUntil = canTellDenial || !isReadable ? nil : now + Self.echoTime
        return [.publish(.birth), .openDelivery]
    }

    private mutating func leave(_ now: Int64) -> [Action] {
        phase = .leaving(until: now + Self.stopTime - Self.drainTime)
        return [.closeDelivery, .publish(.stopped)]
    }

    /// Another agent's state stood where this one's was when the connection ended without a reason.
    private mutating func suspectTakeover() -> [Action] {
        guard endedUnexplained else { return [] }
        endedUnexplained = false
        takeovers += 1
        return takeovers >= Self.takeoversToTell ? [.tell(.clientIDInUse)] : []
    }

    /// At once the first time; two agents with one vehicle id must not answer each other at full speed.
    private mutating func repair(_ now: Int64) -> [Action] {
        guard repairPendingAt == nil else { return [] }
        if now >= repairNotBefore {
            // Quiet for a whole longest delay: whatever it was is over.
            let wasQuiet = repairNotBefore == .min || now - repairNotBefore > Self.longestRepairDelay
            repairDelay = wasQuiet ? Self.shortestRepairDelay : min(repairDelay * 2, Self.longestRepairDelay)
            repairNotBefore = now + repairDelay
            return [.tell(.foreignAvailability), .publish(.repair)]
        }
        repairPendingAt = repairNotBefore
        repairDelay = min(repairDelay * 2, Self.longestRepairDelay)
        repairNotBefore += repairDelay
        return [.tell(.foreignAvailability)]
    }
}
