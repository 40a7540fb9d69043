/// Why a source of bytes cannot be opened, or ended.
public enum SourceFailure: Error, Equatable, Sendable {
    /// There is no such file or device (now).
    case missing
    /// The system denies access.
    case permissionDenied
    /// Another program has the serial port, or listens on the port.
    case inUse
    /// No serial port.
    case notSerial
    /// A directory.
    case directory
    /// The host's name is not known (now).
    case unknownHost
    /// No answer within the configured time.
    case timeout
    /// The system's error number.
    case errno(Int32)
}
