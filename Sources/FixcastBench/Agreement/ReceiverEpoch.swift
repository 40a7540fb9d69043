internal import LocationProviders
internal import Positioning

/// One epoch as our reader told it, with the sentences that it came from.
struct ReceiverEpoch {
    /// `nil`: there is no fix.
    var location: Location?
    /// The time of a fix, or of the news that there is none.
    var time: UTCInstant?
    /// The sentences with a right checksum from the first of the epoch to the last, by number in the log.
    var range: Range<Int>
    var sentences: [RawSentence]

    var hasFix: Bool { location != nil }

    /// Sentences with a right checksum that were refused for a damaged field or an unknown status.
    var refused: UInt64 = 0

    /// In gpsd's numbers; where the kind of fix does not tell the dimensions an altitude does.
    var mode: Int {
        guard let location else { return 1 }
        switch location.fix {
        case .twoD: return 2
        case .threeD: return 3
        default: return location.altitude == nil ? 2 : 3
        }
    }

    func sentences(_ type: String) -> [RawSentence] { sentences.filter { $0.type == type } }

    /// Reads a log as a replay does: no clock drives it, dates are as recorded. Also returns all the log's sentences.
    static func all(in log: [UInt8]) -> (epochs: [ReceiverEpoch], sentences: [RawSentence]) {
        var reader = NMEAEpochReader(uere: 5, dates: .asRecorded)
        var splitter = LineSplitter()
        var epochs: [ReceiverEpoch] = []
        var sentences: [RawSentence] = []
        var refused: UInt64 = 0
        let start = MonotonicInstant(nanoseconds: 0)
        func take(_ epoch: NMEAEpoch) {
            var told = ReceiverEpoch(range: (epochs.last?.range.upperBound ?? 0)..<sentences.count, sentences: [])
            told.sentences = Array(sentences[told.range])
            switch epoch {
            case .fix(let location): (told.location, told.time) = (location, location.timestamp)
            case .noFix(let time): told.time = time
            }
            told.refused = refused
            refused = 0
            epochs.append(told)
        }
        func read(_ line: Range<Int>) {
            let known = reader.rejections
            reader.read(splitter.bytes.span, line, now: start, utc: nil, take)
            refused += reader.rejections.badField - known.badField
            refused += reader.rejections.unknownStatus - known.unknownStatus
            sentences += RawSentence.all(in: String(decoding: splitter.bytes[line], as: UTF8.self)[...].utf8)
        }
        var position = 0
        while position < log.count {
            position += unsafe splitter.fill { free in
                let count = min(free.count, log.count - position)
                for index in 0..<count { unsafe free[index] = log[position + index] }
                return count
            }
            while let line = splitter.nextLine() { read(line) }
        }
        if let line = splitter.lastLine() { read(line) }
        if let last = reader.finish(utc: nil) { take(last) }
        return (epochs, sentences)
    }
}
