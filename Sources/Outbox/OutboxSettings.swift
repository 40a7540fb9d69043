/// What an ``Outbox`` keeps, how long and how safely.
public struct OutboxSettings: Equatable, Sendable {
    /// What a full outbox gives up.
    public enum WhenFull: String, Sendable, CaseIterable {
        case dropOldest = "drop-oldest"
        case dropNewest = "drop-newest"
    }

    /// When a report is on disk.
    public enum Durability: String, Sendable, CaseIterable {
        /// Before it is sent.
        case strict
        /// When it is unacknowledged for 2 s, when the link is lost, and at a clean stop. What was acknowledged by then is
        /// written as history, without waiting for the disk: after 256 reports or 5 minutes.
        case normal
        /// Never; nothing is read from the disk either.
        case none
    }

    /// Where `outbox.db` is; made where only its last part is missing.
    public var directory: String
    /// Bytes of the database with its log, at the most; what was damaged and set aside is not counted. At least
    /// ``smallestSize``.
    public var maximumSize = 64_000_000
    /// Unacknowledged reports older than this are dropped, where the time is known.
    public var maximumAge: Duration = .seconds(30 * 86_400)
    /// How long acknowledged reports are kept for resends, within ``maximumSize``.
    public var history: Duration = .seconds(7 * 86_400)
    public var whenFull = WhenFull.dropOldest
    public var durability = Durability.normal
    /// Reports held in memory at the most, while the disk cannot be used; about 500 bytes each.
    public var memoryCapacity = 3600

    public static let smallestSize = 256 * 1024

    public init(directory: String) { self.directory = directory }
}
