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
    private var sentences = NMEAParser()
    private var epochs: NMEAEpochAssembler
    private var translator: GPSDTranslator
    /// gpsd lines that are no JSON.
    private(set) var damagedLines: UInt64 = 0

    /// - Parameters:
    ///   - uere: metres of accuracy per unit of HDOP, where that is all there is.
    ///   - reference: an instant near the log's, for NMEA logs that never tell the date.
    init(uere: Double, accuracy: GPSDAccuracy, reference: UTCInstant?) {
        epochs = NMEAEpochAssembler(uere: uere, reference: reference)
        translator = GPSDTranslator(accuracy: accuracy)
    }

    var isFormatKnown: Bool { format != nil }

    /// Why NMEA sentences were not used.
    var rejections: NMEARejections { sentences.rejections }

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
        if format == .nmea, let epoch = epochs.finish() { records.append(LogRecord(epoch)) }
    }

    /// Returns whether the line held a position sentence.
    @discardableResult private mutating func readNMEA(
        _ bytes: Span<UInt8>, _ line: Range<Int>, into records: inout [LogRecord]
    ) -> Bool {
        var isPosition = false
        sentences.read(bytes, line) { sentence in
            switch sentence {
            case .rmc, .gga: isPosition = true
            case .gsa, .gst, .vtg: break
            }
            if let epoch = epochs.add(sentence) { records.append(LogRecord(epoch)) }
        }
        return isPosition
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
                case .repeated, .nothing: break
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
    fileprivate init(_ epoch: NMEAEpochAssembler.Epoch) {
        switch epoch {
        case .fix(let location): self = .fix(location)
        case .noFix(let time): self = .noFix(time)
        }
    }
}
