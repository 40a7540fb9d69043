internal import Positioning

/// Feeds one of the room's readers with bytes from outside, for the fuzz target and the mutation tests: whatever they
/// are, nothing traps, nothing hangs, memory stays bounded, and what comes out of NMEA is a place.
package enum ReaderCheck: String, CaseIterable, Sendable {
    case nmea, gpsd, gpx, csv, recording, geojson, command, probe

    /// Returns how many positions came out; traps where a promise is broken.
    @discardableResult
    package func read(_ bytes: Span<UInt8>) -> Int {
        var records: [LogRecord] = []
        switch self {
        case .nmea: readLines(bytes, .nmea, into: &records)
        case .gpsd:
            readLines(bytes, .gpsd, into: &records)
            driveMachine(bytes)
        case .csv: readTable(bytes, into: &records)
        case .gpx: for list in GPXParser.List.allCases { readXML(bytes, list, into: &records) }
        case .recording: for kind in RecordingKind.allCases { readRecording(bytes, kind, into: &records) }
        case .geojson:
            if let route = GeoJSON.read(bytes) { return route.line.count }
        case .command: readCommands(bytes, into: &records)
        case .probe:
            var probe = LogProbe()
            probe.read(bytes)
            probe.finish()
            if probe.format == nil { _ = probe.content }
            return probe.format == nil ? 0 : 1
        }
        // Each record has a byte of its own that made it.
        precondition(records.count <= bytes.count * 8 + 8, "more records than there were bytes for")
        for record in records { check(record) }
        return records.count
    }

    private func check(_ record: LogRecord) {
        guard case .fix(let location) = record.event else { return }
        precondition(location.course.map { (0..<360).contains($0) } ?? true, "a course is in [0, 360)")
        precondition(location.speed.map { $0 >= 0 } ?? true, "a speed is not negative")
        precondition(location.horizontalAccuracy.map { $0 >= 0 } ?? true, "an accuracy is not negative")
        precondition(!location.coordinate.latitude.isNaN && !location.coordinate.longitude.isNaN, "a number")
        if location.source == "nmea" { precondition(location.coordinate.isCorrect, "NMEA positions are places") }
    }

    private static let common = CommonProviderSettings()
    private static let reference = UTCInstant(milliseconds: 1_796_040_000_000)

    /// Lines of `bytes`, with a buffer so small that it overflows.
    private func eachLine(_ bytes: Span<UInt8>, _ body: (Span<UInt8>, Range<Int>, UInt64) -> Void) {
        var lines = LineSplitter(capacity: 1024)
        var next = 0
        while next < bytes.count {
            next += lines.append(bytes.extracting(next..<min(bytes.count, next + 300)))
            while let line = lines.nextLine() { Self.lend(line, lines, body) }
        }
        if let line = lines.lastLine() { Self.lend(line, lines, body) }
    }

    private static func lend(
        _ line: Range<Int>, _ lines: borrowing LineSplitter, _ body: (Span<UInt8>, Range<Int>, UInt64) -> Void
    ) {
        body(lines.bytes.span, line, lines.lineNumber)
    }

    private func readLines(_ bytes: Span<UInt8>, _ format: LogFormat, into records: inout [LogRecord]) {
        for dates in [NMEADateRule.asRecorded, .live] {
            var parser = LogParser(format, common: Self.common, dates: dates, reference: Self.reference)
            var found: [LogRecord] = []
            eachLine(bytes) { parser.read($0, $1, number: $2, into: &found) }
            parser.finish(into: &found)
            records += found
        }
    }

    private func driveMachine(_ bytes: Span<UInt8>) {
        var machine = GPSDMachine(settings: GPSDSettings())
        _ = machine.start()
        _ = machine.connected(now: MonotonicInstant(nanoseconds: 0))
        eachLine(bytes) { bytes, line, number in
            let now = MonotonicInstant(nanoseconds: Int64(clamping: number) * 100_000_000)
            let before = machine
            if let message = try? GPSDMessage.read(bytes.extracting(line)) {
                _ = machine.read(message, now: now)
            } else {
                precondition(machine == before, "garbage changes nothing")
            }
        }
    }

    /// The first line that names columns is the header; without one, the usual columns are taken.
    private func readTable(_ bytes: Span<UInt8>, into records: inout [LogRecord]) {
        let usual = Array("time,lat,lon,alt,speed,course,hacc".utf8)
        guard let header = CSVHeader.read(usual.span, 0..<usual.count) else { return }
        var (table, isFirst) = (CSVParser(header, uere: 5), true)
        var found: [LogRecord] = []
        eachLine(bytes) { bytes, line, number in
            if isFirst, let header = CSVHeader.read(bytes, line) { table = CSVParser(header, uere: 5) }
            isFirst = false
            table.read(bytes, line, number: number, into: &found)
        }
        table.finish()
        records += found
    }

    private func readXML(_ bytes: Span<UInt8>, _ list: GPXParser.List, into records: inout [LogRecord]) {
        var (source, next) = (GPXReading(list), 0)
        while next < bytes.count, source.goesOn {
            let end = min(bytes.count, next + 500)
            source.read(bytes.extracting(next..<end), into: &records)
            next = end
        }
        source.read(bytes.extracting(next..<next), into: &records)
    }

    /// A GPX source until it refuses to go on.
    private final class GPXReading {
        private var source: GPXSource
        var goesOn = true

        init(_ list: GPXParser.List) { source = GPXSource(list, uere: 5) }

        func read(_ bytes: Span<UInt8>, into records: inout [LogRecord]) {
            guard goesOn else { return }
            do { try source.read(bytes, into: &records) } catch { goesOn = false }
        }
    }

    private func readRecording(_ bytes: Span<UInt8>, _ kind: RecordingKind, into records: inout [LogRecord]) {
        var parser = RecordingParser(
            RecordingReader.Header(kind: kind, utc: Self.reference), common: Self.common, dates: .asRecorded)
        var lines = LineSplitter(capacity: 1024)
        var next = 0
        while next < bytes.count {
            next += lines.append(bytes.extracting(next..<min(bytes.count, next + 300)))
            while let line = lines.nextLine() {
                Self.read(line, lines, by: &parser, into: &records)
            }
        }
        parser.finish(into: &records)
    }

    private static func read(
        _ line: Range<Int>, _ lines: borrowing LineSplitter, by parser: inout RecordingParser,
        into records: inout [LogRecord]
    ) {
        _ = try? RecordingReader.header(lines.bytes.span, line)
        parser.read(lines.bytes.span, line, into: &records)
    }

    private func readCommands(_ bytes: Span<UInt8>, into records: inout [LogRecord]) {
        var machine = CommandMachine(settings: CommandSettings(run: ["fuzz"]))
        _ = machine.start(now: MonotonicInstant(nanoseconds: 0))
        _ = machine.started(now: MonotonicInstant(nanoseconds: 0))
        var found: [LogRecord] = []
        eachLine(bytes) { bytes, line, number in
            let now = MonotonicInstant(nanoseconds: Int64(clamping: number) * 1_000_000_000)
            let text = bytes.extracting(line)
            let (deadline, garbage) = (machine.deadline, machine.garbage)
            let actions = machine.read(text, now: now, utc: Self.reference)
            if let location = actions.location { found.append(.fix(location)) }
            if machine.garbage > garbage {
                precondition(machine.deadline == deadline && actions.availability == nil, "garbage changes nothing")
            }
            if case .commandSays(_, let said, _)? = machine.complained(text, now: now).notice {
                precondition(said.utf8.count <= RedactedText.longest * 3, "what is said is short")
            }
        }
        records += found
    }
}
