internal import Positioning

/// What became of the stored reports: one small record, written where it changed.
struct Ledger: Equatable {
    /// Names this store, drawn when it was made.
    var id: UInt64
    /// Counts the writings: of several found in a damaged file the highest is the newest.
    var generation: UInt64 = 0
    /// At or below the oldest report that is kept.
    var first: UInt64 = 1
    var runs: [Run] = []
    /// Not acknowledged: waiting, or handed over.
    var waiting = SequenceRanges()
    /// All that is stored at or after it waits too: no new ledger need be written for each report.
    var waitingFrom: UInt64 = 1
    var quarantine = Quarantine()

    /// Ranges at the most, so that a damaged count ends.
    private static let limit: UInt64 = 1 << 20

    func encode() -> [UInt8] {
        var buffer: [UInt8] = []
        StoredRecord.write(.ledger, to: &buffer) { buffer in
            buffer.append(number: id)
            buffer.append(number: generation)
            buffer.append(number: first)
            buffer.append(number: UInt64(runs.count))
            for run in runs {
                buffer.append(number: run.first)
                buffer.append(number: run.boot)
                buffer.append(number: run.sequence)
                buffer.append(text: run.instance)
            }
            buffer.append(number: waitingFrom)
            Ledger.write(waiting, to: &buffer)
            buffer.append(number: UInt64(quarantine.reasons.count))
            for (reason, numbers) in quarantine.reasons.sorted(by: { $0.key < $1.key }) {
                buffer.append(reason)
                Ledger.write(numbers, to: &buffer)
            }
        }
        return buffer
    }

    init(id: UInt64) { self.id = id }

    /// `nil` where the record is not whole, or says what cannot be.
    init?(_ record: [UInt8]) {
        guard let found = StoredRecord.find(in: record.span), found.kind == .ledger else { return nil }
        var reader = ByteReader(record, in: found.body)
        guard let id = reader.number(), let generation = reader.number(), let first = reader.number(),
            let runCount = reader.number(), runCount < Ledger.limit
        else { return nil }
        self.init(id: id)
        self.generation = generation
        self.first = first
        for _ in 0..<runCount {
            guard let first = reader.number(), let boot = reader.number(), let sequence = reader.number(),
                let instance = reader.text(), first >= runs.last?.first ?? 0
            else { return nil }
            runs.append(Run(first: first, instance: instance, boot: boot, sequence: sequence))
        }
        guard let waitingFrom = reader.number(), let waiting = Ledger.readRanges(&reader),
            let reasonCount = reader.number(), reasonCount <= 256
        else { return nil }
        self.waitingFrom = waitingFrom
        self.waiting = waiting
        for _ in 0..<reasonCount {
            guard let reason = reader.byte(), let numbers = Ledger.readRanges(&reader) else { return nil }
            for range in numbers.ranges { quarantine.insert(range, reason: reason) }
        }
        guard reader.isAtEnd else { return nil }
    }

    private static func write(_ numbers: SequenceRanges, to buffer: inout [UInt8]) {
        buffer.append(number: UInt64(numbers.ranges.count))
        var last: UInt64 = 0
        for range in numbers.ranges {
            buffer.append(number: range.lowerBound - last)
            buffer.append(number: range.upperBound - range.lowerBound)
            last = range.upperBound
        }
    }

    private static func readRanges(_ reader: inout ByteReader) -> SequenceRanges? {
        guard let count = reader.number(), count < limit else { return nil }
        var numbers = SequenceRanges()
        var last: UInt64 = 0
        for _ in 0..<count {
            guard let distance = reader.number(), let length = reader.number(), length > 0,
                distance < 1 << 62, length < 1 << 62, last < 1 << 62
            else { return nil }
            numbers.insert(last + distance..<last + distance + length)
            last += distance + length
        }
        return numbers
    }
}
