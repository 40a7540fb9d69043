internal import Positioning

/// Finds out what kind of log bytes are: pure. The first line, or tag, that only one format has decides; what stands
/// before it (marks of byte order, comments, other loggers' words, damaged lines) does not.
struct LogProbe: ~Copyable {
    private(set) var format: LogFormat?
    private var lines = LineSplitter(capacity: 131_072)
    private var root = XMLRootFinder()
    private var sentences = NMEAEpochReader(uere: 1, dates: .asRecorded)
    private var table: Table?
    private var census = Census()

    /// Where a log of this ``format`` begins.
    var start: Int { format == .gpx ? root.gpxStart ?? 0 : 0 }

    /// Takes the next bytes; what follows once the format is known is of no interest.
    mutating func read(_ bytes: Span<UInt8>) {
        root.read(bytes)
        if root.gpxStart != nil {
            format = .gpx
            return
        }
        census.count(bytes)
        var next = 0
        while format == nil, next < bytes.count {
            next += lines.append(bytes.extracting(next..<bytes.count))
            while format == nil, let line = lines.nextLine() {
                format = Self.look(at: line, of: lines, &sentences, &table, &census)
            }
        }
    }

    /// The bytes are at their end.
    mutating func finish() {
        guard format == nil else { return }
        if let line = lines.lastLine() { format = Self.look(at: line, of: lines, &sentences, &table, &census) }
        // A header without a row is a table all the same, where it is all there is.
        if format == nil, let table, !census.hasSentences { format = .csv(table.header) }
    }

    /// What it is instead of a log, once everything was looked at.
    var content: UnknownContent {
        if census.bytes == 0 { return .nothing }
        if census.isLaterRecording { return .laterRecording }
        let rejections = sentences.rejections
        if rejections.noChecksum + rejections.badChecksum > 0, census.hasSentences { return .uncheckedSentences }
        if census.hasSentences { return .sentencesWithoutPosition }
        if let name = root.firstName, census.firstByte == UInt8(ascii: "<") { return .xml(root: name) }
        if census.firstByte == UInt8(ascii: "{") || census.firstByte == UInt8(ascii: "[") { return .json }
        return census.isBinary ? .binary : .text
    }

    private static func look(
        at line: Range<Int>, of lines: borrowing LineSplitter, _ sentences: inout NMEAEpochReader,
        _ table: inout Table?, _ census: inout Census
    ) -> LogFormat? {
        let bytes = lines.bytes.span
        let line = DecimalText.trimmed(bytes, lines.lineNumber == 1 ? withoutMark(bytes, line) : line)
        guard !line.isEmpty else { return nil }
        do throws(RecordingReader.UnknownVersion) {
            if let header = try RecordingReader.header(bytes, line) { return .recording(header) }
        } catch {
            census.isLaterRecording = true
        }
        // Another logger may have put its time in front.
        if let brace = line.first(where: { bytes[$0] == UInt8(ascii: "{") }),
            case .tpv? = try? GPSDMessage.read(bytes.extracting(brace..<line.upperBound))
        {
            return .gpsd
        }
        if let dollar = line.first(where: { bytes[$0] == UInt8(ascii: "$") }) {
            census.noteSentence(bytes, dollar..<line.upperBound)
            sentences.read(bytes, line, now: MonotonicInstant(nanoseconds: 0), utc: nil) { _ in }
            if sentences.positions > 0 { return .nmea }
        }
        if let header = CSVHeader.read(bytes, line) {
            table = Table(header: header)
        } else if let header = table?.header, table?.takes(bytes, line) == true {
            return .csv(header)
        }
        return nil
    }

    /// What may be a table: the words of a header may stand anywhere, a row behind it does not.
    private struct Table {
        let header: CSVHeader
        private var rows: CSVParser

        init(header: CSVHeader) {
            self.header = header
            rows = CSVParser(header, uere: 1)
        }

        mutating func takes(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
            var records: [LogRecord] = []
            rows.read(bytes, line, number: 0, into: &records)
            return !records.isEmpty
        }
    }

    /// UTF-8's byte order mark.
    private static func withoutMark(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Range<Int> {
        guard line.count >= 3, bytes[line.lowerBound] == 0xEF, bytes[line.lowerBound + 1] == 0xBB,
            bytes[line.lowerBound + 2] == 0xBF
        else { return line }
        return (line.lowerBound + 3)..<line.upperBound
    }

    /// What the bytes look like at large.
    private struct Census {
        private(set) var bytes: UInt64 = 0
        private var controls: UInt64 = 0
        /// The first that is no white space.
        private(set) var firstByte: UInt8?
        private(set) var hasSentences = false
        var isLaterRecording = false

        var isBinary: Bool { controls > bytes / 20 }

        mutating func count(_ span: Span<UInt8>) {
            for index in span.indices {
                let byte = span[index]
                if byte < 9 || (14..<32).contains(byte) || byte == 127 { controls += 1 }
                if firstByte == nil, byte > 32, byte < 127 { firstByte = byte }
            }
            bytes += UInt64(span.count)
        }

        /// `$`, five letters or digits, a comma.
        mutating func noteSentence(_ bytes: Span<UInt8>, _ text: Range<Int>) {
            guard text.count > 7, bytes[text.lowerBound + 6] == UInt8(ascii: ",") else { return }
            hasSentences = true
        }
    }
}
