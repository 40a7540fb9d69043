/// What became of the store, told when it changes and for each kind at most once an hour. The text is for people, the
/// ``code`` for programs.
public enum OutboxNotice: Equatable, Sendable, CustomStringConvertible {
    /// The store cannot be used: reports are kept in memory, and it is tried again.
    case unavailable(path: String, reason: String)
    /// The disk is full: reports are kept in memory, and it is tried again.
    case diskFull(path: String, reason: String)
    /// The store can be used again.
    case recovered(path: String)
    /// The store was damaged: what was whole is in a new one, the old one is beside it.
    case salvaged(path: String, asidePath: String, kept: Int, lost: UInt64)
    /// The store was made by a newer version: what is understood of it is in a new one, the old one is beside it.
    case newerVersion(path: String, asidePath: String, kept: Int)
    /// The outbox is full by size; by the setting its oldest or its newest reports are dropped.
    case full(path: String, dropping: OutboxSettings.WhenFull)

    /// A stable word.
    public var code: String {
        switch self {
        case .unavailable: "outboxUnavailable"
        case .diskFull: "outboxDiskFull"
        case .recovered: "outboxRecovered"
        case .salvaged: "outboxSalvaged"
        case .newerVersion: "outboxNewerVersion"
        case .full: "outboxFull"
        }
    }

    /// Whether it is good news.
    public var isRecovery: Bool {
        if case .recovered = self { true } else { false }
    }

    public var description: String {
        switch self {
        case .unavailable(let path, let reason):
            "\(path) cannot be used (\(reason)): reports are kept in memory only, until it can"
        case .diskFull(let path, let reason):
            "\(path) cannot be written (\(reason)): reports are kept in memory only; free some space on its disk"
        case .recovered(let path): "\(path) can be used again"
        case .salvaged(let path, let asidePath, let kept, let lost):
            "\(path) was damaged: \(kept) stored reports are whole and kept, "
                + (lost == 0 ? "none is known to be lost" : "\(lost) are lost") + "; the damaged file is \(asidePath)"
        case .newerVersion(let path, let asidePath, let kept):
            "\(path) was made by a newer version: \(kept) stored reports are kept; the file is \(asidePath)"
        case .full(let path, let dropping):
            "\(path) has reached outbox.max-size: its "
                + (dropping == .dropOldest ? "oldest" : "newest") + " unsent reports are dropped"
        }
    }
}
