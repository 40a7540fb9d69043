internal import Positioning
internal import XMLText

/// What changes as a log is read: one value, so that a record costs one exclusive access to it.
struct LogContent: ~Copyable {
    let file: LogFile
    private let common: CommonProviderSettings
    private var parser: LogParser
    /// Set for a recording, and for GPX, instead of the parser.
    private var recording: RecordingParser?
    private var gpx: GPXSource?
    private var lists = GPXParser.List.allCases[...]
    private var lines = LineSplitter(capacity: 131_072)
    private var chunk: [UInt8] = []
    private var records: [LogRecord] = []
    private var taken = 0
    private var isAtEnd = false
    private(set) var isCutOff = false
    /// What is thrown once the records before it are taken.
    private var failure: ReplayError?

    init(
        file: LogFile, format: LogFormat = .nmea, common: CommonProviderSettings = CommonProviderSettings(),
        dates: NMEADateRule = .asRecorded, reference: UTCInstant? = nil
    ) {
        self.file = file
        self.common = common
        parser = LogParser(format, common: common, dates: dates, reference: reference)
        switch format {
        case .recording(let header): recording = RecordingParser(header, common: common, dates: dates)
        case .gpx: chunk = [UInt8](repeating: 0, count: 65_536)
        case .nmea, .gpsd, .csv: break
        }
        if format == .gpx { gpx = GPXSource(lists.removeFirst(), uere: common.uere) }
    }

    var damage: LogDamage {
        switch gpx {
        case .some(let gpx): gpx.damage
        case nil: parser.damage
        }
    }

    /// Reads from the beginning up to the first record.
    mutating func readFirst() throws(ReplayError) {
        try file.rewind()
        while records.isEmpty {
            guard try readMore() else { throw failure ?? .noPositions(file: file.path) }
        }
    }

    mutating func next() throws(ReplayError) -> LogRecord? {
        while taken == records.count {
            records.removeAll(keepingCapacity: true)
            taken = 0
            guard try readMore() else {
                if let failure { throw failure }
                return nil
            }
        }
        defer { taken += 1 }
        return records[taken]
    }

    /// Reads until there are records or a buffer is used up; false at the end.
    private mutating func readMore() throws(ReplayError) -> Bool {
        guard !isAtEnd else { return false }
        if gpx != nil { return try readXML() }
        while let line = lines.nextLine() {
            Self.parse(line, of: lines, by: &parser, &recording, into: &records)
            if !records.isEmpty { return true }
        }
        let descriptor = file.descriptor
        if try file.checked(unsafe lines.fill { unsafe LogFile.read(descriptor, $0) }) == 0 { endLines() }
        return true
    }

    private mutating func endLines() {
        isAtEnd = true
        if recording != nil {
            // A recording's line without its end was cut off.
            isCutOff = !lines.rest.isEmpty
            recording?.finish(into: &records)
            return
        }
        if let line = lines.lastLine() { Self.parse(line, of: lines, by: &parser, &recording, into: &records) }
        parser.finish(into: &records)
    }

    private static func parse(
        _ line: Range<Int>, of lines: borrowing LineSplitter, by parser: inout LogParser,
        _ recording: inout RecordingParser?, into records: inout [LogRecord]
    ) {
        if recording != nil {
            recording?.read(lines.bytes.span, line, into: &records)
        } else {
            parser.read(lines.bytes.span, line, number: lines.lineNumber, into: &records)
        }
    }

    private mutating func readXML() throws(ReplayError) -> Bool {
        let count = try file.read(into: &chunk)
        let problem = Self.read(count, of: chunk, by: &gpx, into: &records)
        if let problem, problem.reason != .truncated {
            isAtEnd = true
            failure = .damaged(file: file.path, line: problem.line, reason: ReplayError.Damage(problem.reason))
        } else if problem != nil || count == 0 {
            isCutOff = problem != nil
            try endList()
        }
        return true
    }

    private static func read(
        _ count: Int, of chunk: [UInt8], by gpx: inout GPXSource?, into records: inout [LogRecord]
    ) -> XMLError? {
        do throws(XMLError) {
            try gpx?.read(chunk.span.extracting(0..<count), into: &records)
            return nil
        } catch {
            return error
        }
    }

    /// A file without a track has perhaps a route, or at least places.
    private mutating func endList() throws(ReplayError) {
        if gpx?.points == 0, let next = lists.popFirst() {
            gpx = GPXSource(next, uere: common.uere)
            try file.rewind()
        } else {
            isAtEnd = true
        }
    }
}

extension ReplayError.Damage {
    init(_ reason: XMLError.Reason) {
        self =
            switch reason {
            case .malformed(let text): .malformed(text)
            case .entities: .entities
            case .tooLong: .tooLong
            case .memory: .memory
            // Told apart before: what a file lacks at its end is no damage.
            case .truncated: .malformed("unexpected end")
            }
    }
}
