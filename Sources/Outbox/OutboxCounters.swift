public import Positioning

/// What an ``Outbox`` holds and has lost, for health.
public struct OutboxCounters: Equatable, Sendable {
    /// Reports that are not acknowledged.
    public var reports: UInt64 = 0
    /// Bytes of the database and its log.
    public var bytes: Int = 0
    /// When the oldest unacknowledged report was stored; `nil` where there is none or no clock was trusted.
    public var oldest: UTCInstant?
    /// Unacknowledged reports dropped since the start because the outbox was full.
    public var droppedFull: UInt64 = 0
    /// Unacknowledged reports dropped since the start because they were too old.
    public var droppedAge: UInt64 = 0
    /// Unacknowledged reports found damaged or missing since the start.
    public var damaged: UInt64 = 0
    /// Reports that the broker refused for what they are, by its reason code, as far as they are still kept.
    public var aside: [UInt8: UInt64] = [:]
    /// Whether the store can be used; false in memory only.
    public var isStored = false

    public init() {}
}
