internal import Positioning

/// Reads the lines of a log whose format is known into records: pure. Lines of other kinds in between are passed over.
struct LogParser: Sendable {
    private enum Kind: Sendable {
        case nmea(NMEAEpochReader)
        case gpsd(GPSDLogParser)
        case csv(CSVParser)
    }

    private var kind: Kind
    private let reference: UTCInstant?

    /// - Parameters:
    ///   - reference: an instant near the log's, for NMEA logs that never tell the date.
    ///   - dates: what is done with an NMEA log's dates.
    init(_ format: LogFormat, common: CommonProviderSettings, dates: NMEADateRule, reference: UTCInstant?) {
        self.reference = reference
        kind =
            switch format {
            case .csv(let header): .csv(CSVParser(header, uere: common.uere))
            case .gpsd: .gpsd(GPSDLogParser(accuracy: common.gpsdAccuracy))
            case .nmea, .gpx, .recording: .nmea(NMEAEpochReader(uere: common.uere, dates: dates))
            }
    }

    /// Rows that could not be read.
    var damage: LogDamage {
        if case .csv(let table) = kind { table.damage } else { LogDamage() }
    }

    /// Reads one line, appending the records that it completes.
    ///
    /// - Parameter number: the line's, counted from 1.
    mutating func read(_ bytes: Span<UInt8>, _ line: Range<Int>, number: UInt64, into records: inout [LogRecord]) {
        // Each case is taken out and put back, so that what it holds is changed in place.
        switch kind {
        case .nmea(var epochs):
            // No clock drives a log: its epochs end by content.
            epochs.read(bytes, line, now: MonotonicInstant(nanoseconds: 0), utc: reference) {
                records.append(LogRecord($0))
            }
            kind = .nmea(epochs)
        case .gpsd(var reports):
            reports.read(bytes, line, into: &records)
            kind = .gpsd(reports)
        case .csv(var table):
            table.read(bytes, line, number: number, into: &records)
            kind = .csv(table)
        }
    }

    /// The log is at its end: completes what is open.
    mutating func finish(into records: inout [LogRecord]) {
        switch kind {
        case .nmea(var epochs):
            if let epoch = epochs.finish(utc: reference) { records.append(LogRecord(epoch)) }
            kind = .nmea(epochs)
        case .gpsd(var reports):
            reports.finish(into: &records)
            kind = .gpsd(reports)
        case .csv(var table):
            table.finish()
            kind = .csv(table)
        }
    }
}
