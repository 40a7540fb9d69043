/// What kinds of logs can be replayed; the content tells which one a log is.
enum LogFormat: Equatable, Sendable {
    case nmea
    /// gpsd's JSON, a report a line.
    case gpsd
    case gpx
    case csv(CSVHeader)
    case recording(RecordingReader.Header)
}

/// What a file that is no log holds, as far as can be told.
public enum UnknownContent: Equatable, Sendable {
    case nothing
    case binary
    case text
    /// XML with another root element than `gpx`.
    case xml(root: String)
    case json
    /// NMEA 0183 without checksums, or with wrong ones.
    case uncheckedSentences
    /// NMEA 0183 of something that knows no position (a compass, a depth sounder).
    case sentencesWithoutPosition
    /// A recording that a later version of this program wrote.
    case laterRecording
}
