/// Which report this is, for ever: within a vehicle, (`instance`, `boot`, `sequence`) names one immutable report
/// (WIRE.md, Identity; SEMANTICS rule 17).
public struct ReportIdentity: Hashable, Sendable {
    /// Names one state directory of an agent.
    public var instance: String
    /// Counts the agent's starts in that directory, from 1.
    public var boot: UInt64
    /// Counts the reports of that boot, from 1, without gaps.
    public var sequence: UInt64

    public init(instance: String, boot: UInt64, sequence: UInt64) {
        self.instance = instance
        self.boot = boot
        self.sequence = sequence
    }

    /// Whether this report was made before `other`; `nil` when their instances differ, which no number can order.
    public func isBefore(_ other: ReportIdentity) -> Bool? {
        guard instance == other.instance else { return nil }
        return (boot, sequence) < (other.boot, other.sequence)
    }
}

/// Why a report was sent (WIRE.md, `trigger`); the raw value is the word on the wire.
public enum ReportTrigger: String, Sendable, Hashable, CaseIterable {
    case first, error, interval, distance, heading, speed, motion, reconnect, demand, locate
}

/// Whether the vehicle moves, as its agent judged it (WIRE.md, `motion`).
public enum Motion: String, Sendable, Hashable, CaseIterable {
    case moving, stationary
}

/// What is worth telling, before it has an identity: made by `Reporting`.
public struct ReportDraft: Equatable, Sendable {
    public var location: Location
    public var motion: Motion?
    public var trigger: ReportTrigger?
    /// Seconds within which the next report comes at the latest, slack included (rule 18).
    public var due: Double?
    /// Metres within which the prediction from this report stays, where the policy promises it.
    public var bound: Double?
    /// At what velocity the prediction moves, where that is not the measured speed and course.
    public var predictionVelocity: Velocity?
    /// Monotonic seconds since the boot began, where no trusted clock dated the report.
    public var uptime: Double?

    public init(
        location: Location, motion: Motion? = nil, trigger: ReportTrigger? = nil, due: Double? = nil,
        bound: Double? = nil, predictionVelocity: Velocity? = nil, uptime: Double? = nil
    ) {
        self.location = location
        self.motion = motion
        self.trigger = trigger
        self.due = due
        self.bound = bound
        self.predictionVelocity = predictionVelocity
        self.uptime = uptime
    }
}

/// One immutable report with its identity.
public struct Report: Equatable, Sendable {
    public var identity: ReportIdentity
    public var draft: ReportDraft

    public init(identity: ReportIdentity, draft: ReportDraft) {
        self.identity = identity
        self.draft = draft
    }

    public var location: Location { draft.location }
}
