/// Why a log cannot be replayed; each names the file.
public enum ReplayError: Error, Equatable, Sendable {
    /// It is missing or may not be read; `errno` says why.
    case cannotRead(file: String, errno: Int32)
    /// A directory, a pipe or a device.
    case notAFile(file: String)
    /// Its first megabytes hold neither an NMEA 0183 position sentence with a right checksum nor a TPV line of gpsd.
    case unknownFormat(file: String)
}
