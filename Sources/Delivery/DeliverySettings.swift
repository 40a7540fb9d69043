/// The limits of a ``DeliveryMachine``.
public struct DeliverySettings: Equatable, Sendable {
    /// Unacknowledged messages at the most: one live report, the rest batches.
    public var window = 5
    /// Reports in one message of the track lane at the most.
    public var batch = 100
    /// How long reports that the live lane did not carry are gathered, so that few messages carry them.
    public var gather: Duration = .seconds(1)
    /// How long a lane is held back after the broker refused it a report; doubled each time in a row.
    public var retryDelay: Duration = .seconds(30)
    /// The longest hold.
    public var longestRetryDelay: Duration = .seconds(600)
    /// Reports a second of the backlog; `nil`: as fast as they go.
    public var reportsPerSecond: Double?
    /// Bytes a second of the backlog's payloads; `nil`: as fast as they go.
    public var bytesPerSecond: Double?
    /// The longest time by which a backlog of more than one batch begins late, so that a fleet that comes back does not
    /// flood the broker.
    public var startJitter: Duration = .zero

    public init() {}
}

/// Reports by what became of them, since the boot.
public struct DeliveryCounters: Equatable, Sendable {
    public var live: UInt64 = 0
    public var track: UInt64 = 0
    /// Sent once more, for who asked.
    public var resent: UInt64 = 0
    /// Of `track` and `resent`, those of which the broker said that nobody subscribes.
    public var unheard: UInt64 = 0
    /// Refusals by the broker, by reason code; one may be of a whole batch.
    public var refusals: [UInt8: UInt64] = [:]
    /// Reports that the broker refused for what they are: kept, not sent again.
    public var setAside: UInt64 = 0

    public init() {}
}
