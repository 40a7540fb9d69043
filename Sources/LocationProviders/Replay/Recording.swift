/// What kind of stream a recording holds: which reader its bytes are for.
public enum RecordingKind: String, CaseIterable, Sendable {
    /// NMEA 0183, whatever it came over.
    case nmea
    /// What gpsd sent.
    case gpsd
    /// What a program of `provider.command` printed.
    case command
}

/// What happened to a recorded source besides sending bytes.
public enum RecordingEvent: String, CaseIterable, Sendable {
    case connected
    case disconnected
}

/// The recording format: text, so that people can read it and cut it.
///
///     fixcast-recording 1 nmea 2026-11-30T12:00:00.000Z
///     0.000000 $GPRMC,120004.00,A,…*54\r\n
///     12.500000 !disconnected
///
/// The first line names the format's version, the kind of stream, and the host's time at the start, or `-` where the
/// clock was not to be trusted. Each further line holds the seconds since the start on the monotonic clock (six
/// decimals), a space, and either the bytes as they came or, after an exclamation mark, an event. Bytes outside
/// printable ASCII are escaped: `\r`, `\n`, `\t`, `\\`, `\xHH`, and so is an exclamation mark at the beginning. What
/// came at once may be cut into several lines; lines need not end where the stream's own lines do. A last line without
/// its end is a recorder's that was cut off, and is dropped.
enum Recording {
    static let magic: StaticString = "fixcast-recording "
    static let version: UInt8 = 1
    /// Bytes of the stream in one line at most, so that a reader's buffer has a limit.
    static let longestPiece = 4096
}
