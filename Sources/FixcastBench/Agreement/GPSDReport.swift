internal import Positioning
internal import WireText

/// A position report (TPV) in gpsd's output.
struct GPSDReport: Equatable {
    /// The sentence of the log after which it came, by number.
    var sentence = 0
    /// That sentence's type.
    var trigger = ""
    var time: UTCInstant?
    /// 0 and 1: no fix; 2, 3: dimensions.
    var mode = 0
    var latitude: Double?
    var longitude: Double?
    /// Metres above mean sea level.
    var altitude: Double?
    /// Metres per second.
    var speed: Double?
    /// Degrees true.
    var course: Double?

    var hasFix: Bool { mode >= 2 && latitude != nil && longitude != nil }

    /// The reports of gpsd's output, which echoes the log's sentences, and has JSON after the sentence that caused it. Also
    /// the sentences, by number, behind which it has something of another protocol.
    ///
    /// - Parameter sentences: of the log, in order.
    static func all(
        in output: String, of sentences: [RawSentence]
    ) -> (reports: [GPSDReport], interrupted: Set<Int>) {
        var reports: [GPSDReport] = []
        var interrupted: Set<Int> = []
        var next = 0
        for line in output.split(whereSeparator: \.isNewline) {
            let last = max(0, next - 1)
            if line.hasPrefix("{") {
                guard var report = read(line) else { continue }
                report.sentence = last
                report.trigger = sentences.isEmpty ? "" : sentences[last].type
                reports.append(report)
                continue
            }
            let echoes = RawSentence.all(in: line.utf8)
            if echoes.isEmpty { interrupted.insert(last) }
            for echo in echoes {
                // gpsd does not echo what it cannot use, and writes sentences of its own for binary protocols.
                if let found = sentences[next...].prefix(50).firstIndex(of: echo) {
                    next = found + 1
                } else {
                    interrupted.insert(last)
                }
            }
        }
        return (reports, interrupted)
    }

    /// The report of a TPV line; `nil` for other classes.
    private static func read(_ line: Substring) -> GPSDReport? {
        var report = GPSDReport()
        var isTPV = false
        let bytes = Array(line.utf8)
        do {
            try JSONReader.read(bytes.span) { (json: inout JSONReader) throws(JSONError) in
                try json.beginObject()
                while let key = try json.nextKey() {
                    switch key {
                    case "class": isTPV = try json.readWord() == "TPV"
                    case "mode": report.mode = Int(try json.readInteger())
                    case "time": report.time = try json.readTimestamp().map(UTCInstant.init(milliseconds:))
                    case "lat": report.latitude = try json.readDouble()
                    case "lon": report.longitude = try json.readDouble()
                    case "altMSL": report.altitude = try json.readDouble()
                    case "speed": report.speed = try json.readDouble()
                    case "track": report.course = try json.readDouble()
                    default: try json.skipValue()
                    }
                }
            }
        } catch {
            return nil
        }
        return isTPV ? report : nil
    }
}
