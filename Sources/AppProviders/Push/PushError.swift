/// Why a position was not taken.
public enum PushError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The source is closed: ``PushLocationProvider/open()`` comes first.
    case closed

    public var description: String {
        switch self {
        case .closed: "a position was pushed into a source that is closed; open it first"
        }
    }
}
