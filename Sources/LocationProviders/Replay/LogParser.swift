internal import Positioning

/// One record of a recorded drive.
enum LogRecord: Equatable, Sendable {
    case fix(Location)
    /// The receiver said that it had no fix, then.
    case noFix(UTCInstant?)

    /// When it was, as far as the log says.
    var time: UTCInstant? {
        switch self {
        case .fix(let location): location.timestamp
        case .noFix(let time): time
        }
    }
}

/// Reads the lines of a log into records: NMEA 0183 or gpsd's JSON, told apart by content. The first line with a
/// position report of either kind decides; lines of other kinds in between are passed over.
struct LogParser {
    private enum Format { case nmea, gpsd }

    private var format: Format?
    /// Epochs end by content: no clock drives a log.
    private static let noClock = MonotonicInstant(nanoseconds: 0)

    private let reference: UTCInstant?
    private var epochs: NMEAEpochReader
    private var translator: GPSDTranslator
    /// gpsd lines that are no JSON.
    private(set) var damagedLines: UInt64 = 0

    /// - Parameters:
    ///   - uere: metres of accuracy per unit of HDOP, where that is all there is.
    ///   - reference: an instant near the log's, for NMEA logs that never tell the date.
    init(uere: Double, accuracy: GPSDAccuracy, reference: UTCInstant?) {
        self.reference = reference
        epochs = NMEAEpochReader(uere: uere, dates: .asRecorded)
        translator = GPSDTranslator(accuracy: accuracy)
    }

    var isFormatKnown: Bool { format != nil }

    /// Why NMEA sentences were not used.
    var rejections: NMEARejections { epochs.rejections }

    /// Reads one line, appending the records that it completes.
    mutating func read(_ bytes: Span<UInt8>, _ line: Range<Int>, into records: inout [LogRecord]) {
        switch format {
        case .nmea: readNMEA(bytes, line, into: &records)
        case .gpsd: readGPSD(bytes, line, into: &records)
        case nil:
            if readGPSD(bytes, line, into: &records) {
                format = .gpsd
            } else if readNMEA(bytes, line, into: &records) {
                format = .nmea
            }
        }
    }

    /// The log is at its end: completes the open epoch.
    mutating func finish(into records: inout [LogRecord]) {
        if format == .nmea, let epoch = epochs.finish(utc: reference) { records.append(LogRecord(epoch)) }
    }

    /// Returns whether the line held a position sentence.
    @discardableResult private mutating func readNMEA(
        _ bytes: Span<UInt8>, _ line: Range<Int>, into records: inout [LogRecord]
    ) -> Bool {
        let known = epochs.positions
        epochs.read(bytes, line, now: Self.noClock, utc: reference) { records.append(LogRecord($0)) }
        return epochs.positions > known
    }

    /// Returns whether the line was a TPV.
    @discardableResult private mutating func readGPSD(
        _ bytes: Span<UInt8>, _ line: Range<Int>, into records: inout [LogRecord]
    ) -> Bool {
        // Another logger may have put its time in front.
        guard let start = line.first(where: { bytes[$0] == UInt8(ascii: "{") }) else { return false }
        do {
            switch try GPSDMessage.read(bytes.extracting(start..<line.upperBound)) {
            case .tpv(let tpv):
                switch translator.read(tpv) {
                case .fix(let location): records.append(.fix(location))
                case .noFix(let time): records.append(.noFix(time))
                case .refined, .repeated, .nothing: break
                }
                return true
            case .sky(let sky): translator.note(sky)
            default: break
            }
        } catch {
            damagedLines += 1
        }
        return false
    }
}

extension LogRecord {
    fileprivate init(_ epoch: NMEAEpoch) {
        switch epoch {
        case .fix(let location): self = .fix(location)
        case .noFix(let time): self = .noFix(time)
        }
    }
}
