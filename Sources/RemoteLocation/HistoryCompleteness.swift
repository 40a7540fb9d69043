public import FleetWire

/// What a history has of one boot of a vehicle's agent, and what not (WIRE.md, Identity).
public struct BootCompleteness: Equatable, Sendable {
    /// Why a report is missing.
    public enum Reason: Equatable, Sendable {
        /// The agent no longer has it: it is lost for good.
        case gone
        /// Asked for, or promised by the agent and on its way.
        case underWay
        /// The agent refused to send it; it is asked again later.
        case refused(ReplyMessage.Refusal)
        /// Not asked for yet: it is asked for once the agent can be reached.
        case notYetAsked
        /// Nobody asks: the history has no subscriber name.
        case cannotAsk
        /// Made by an instance that is not the vehicle's current one, so nobody can be asked.
        case otherInstance
    }

    /// Reports that follow each other and are missing for one reason.
    public struct Missing: Equatable, Sendable {
        public var sequences: ClosedRange<UInt64>
        public var reason: Reason

        public init(sequences: ClosedRange<UInt64>, reason: Reason) {
            self.sequences = sequences
            self.reason = reason
        }
    }

    public var instance: String
    public var boot: UInt64
    /// How many different reports were received.
    public var received: UInt64
    /// The highest sequence known to be assigned: received, or said by the agent; 0 when there is none.
    public var last: UInt64
    /// Whether nothing was made after ``last``. `false` while the boot goes on, and for ever for a boot that ended without
    /// saying its last (a crash): then reports after it may be missing that nobody knows of.
    public var isEndKnown: Bool
    /// Whether a later boot of the same instance was heard of.
    public var isOver: Bool
    /// Reports missing that are not told apart any more, because there were too many gaps (10 000 in one boot).
    public var forgotten: UInt64
    /// Ascending.
    public var missing: [Missing]

    /// Whether every report that is known to be made was received; see also ``isEndKnown``.
    public var hasAllKnown: Bool { missing.isEmpty && forgotten == 0 }
    /// Whether the boot is over and every report of it was received.
    public var isComplete: Bool { hasAllKnown && isEndKnown }
}
