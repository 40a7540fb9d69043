/// Why a log cannot be replayed, or a route not be driven; each names the file.
public enum ReplayError: Error, Equatable, Sendable {
    /// It is missing or may not be read; `errno` says why.
    case cannotRead(file: String, errno: Int32)
    /// A directory, a pipe or a device.
    case notAFile(file: String)
    /// Its first megabytes hold nothing of a format that can be replayed.
    case unknownFormat(file: String, found: UnknownContent)
    /// It is of a format that can be replayed, and holds no position.
    case noPositions(file: String)
    /// What is to be a simulator's route is neither GPX nor GeoJSON.
    case unknownRoute(file: String)
    /// From this line on it cannot be read; what came before was replayed.
    case damaged(file: String, line: Int, reason: Damage)

    /// What breaks off a GPX file.
    public enum Damage: Equatable, Sendable {
        /// It is no well-formed XML; what the parser says about it.
        case malformed(String)
        /// It declares entities.
        case entities
        /// A tag or a comment that is too long to be true.
        case tooLong
        /// The system has no memory left.
        case memory
    }
}
