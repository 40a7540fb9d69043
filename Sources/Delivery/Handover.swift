public import Positioning

/// One message for the broker.
public enum Handover: Equatable, Sendable {
    /// To the location topic; retained when the report is reliable.
    case live(Report)
    /// To the track topic, oldest first, never empty.
    case track([Report])
}

/// How a handover ended.
public enum DeliveryOutcome: Equatable, Sendable {
    /// The broker has it.
    case delivered
    /// The connection ended first: the broker may have it or not.
    case lost
    /// The broker refused it for a cause that may pass (not authorized, quota): it is kept and tried again later.
    case refused
    /// It exceeds what the broker takes: a batch is cut, a single report discarded.
    case tooLarge
}

/// The limits of a ``DeliveryMachine``.
public struct DeliverySettings: Equatable, Sendable {
    /// Unacknowledged messages at the most; the library searches its list, so about 100 is best.
    public var window = 100
    /// Reports in one message of the track lane at the most.
    public var batch = 100
    /// How long everything is held back after the broker refused a report.
    public var retryDelay: Duration = .seconds(30)

    public init() {}
}

/// Reports by what became of them, since the boot.
public struct DeliveryCounters: Equatable, Sendable {
    public var live: UInt64 = 0
    public var track: UInt64 = 0
    /// Refusals by the broker; the reports were kept.
    public var refused: UInt64 = 0
    /// Reports that no broker packet can hold.
    public var discarded: UInt64 = 0

    public init() {}
}
