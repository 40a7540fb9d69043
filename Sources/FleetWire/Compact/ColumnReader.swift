internal import WireText

/// Reads columns of untrusted bytes. A column never has more numbers than there are reports, and each step is bounded by
/// the bytes and the reports.
///
/// One reader serves all columns of a message, so that its memory is got once.
struct ColumnReader {
    /// The column contradicts itself or the message.
    struct Impossible: Error {}

    /// Of the reports that have one, in order.
    private(set) var numbers: [Int64] = []
    /// In place of `numbers`, where the column is an exact one.
    private(set) var exact: [Double] = []
    /// How many reports running have a number and have none, in turns.
    private var runs: [Int] = []
    private var repeats: [Int] = []
    /// Decimals above those of the field.
    private(set) var finer = 0

    private static let finerLimit = 9

    init() {}

    /// Reads the column in `range`, of a message with `count` reports.
    mutating func read(_ bytes: Span<UInt8>, _ range: Range<Int>, count: Int) throws(Impossible) {
        numbers.removeAll(keepingCapacity: true)
        exact.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        repeats.removeAll(keepingCapacity: true)
        finer = 0
        var coding = ColumnCoding.differences
        do throws(ProtobufReader.Malformed) {
            var reader = ProtobufReader(range)
            while let field = try reader.next(bytes) {
                switch (field.number, field.value) {
                case (ColumnField.present, let value): try take(value, bytes, count) { $0.addRun($1, count) }
                case (ColumnField.entries, let value): try take(value, bytes, count) { $0.addEntry($1, count) }
                case (ColumnField.repeats, let value): try take(value, bytes, count) { $0.addRepeat($1, count) }
                case (ColumnField.coding, .varint(let value)):
                    guard let known = ColumnCoding(rawValue: value) else { throw ProtobufReader.Malformed() }
                    coding = known
                case (ColumnField.finer, .varint(let value)):
                    guard value <= Self.finerLimit else { throw ProtobufReader.Malformed() }
                    finer = Int(value)
                case (ColumnField.exact, let value): try takeExact(value, bytes, count)
                case (ColumnField.coding, _), (ColumnField.finer, _): throw ProtobufReader.Malformed()
                default: break
                }
            }
        } catch {
            throw Impossible()
        }
        if exact.isEmpty { try resolve(coding, count) }
        let values = exact.isEmpty ? numbers.count : exact.count
        // An empty column is as good as none.
        if values == 0, runs.isEmpty { runs = [0] }
        var (present, all) = (runs.isEmpty ? count : 0, 0)
        for (index, run) in runs.enumerated() {
            all += run
            if index.isMultiple(of: 2) { present += run }
            guard all <= count else { throw Impossible() }
        }
        guard present == values else { throw Impossible() }
    }

    /// Calls `body` with each report that has a value and the value's place.
    @inline(__always)
    func forEach(count: Int, _ body: (_ report: Int, _ value: Int) -> Void) {
        guard !runs.isEmpty else {
            for index in 0..<count { body(index, index) }
            return
        }
        var (report, value) = (0, 0)
        for index in runs.indices {
            let end = report + runs[index]
            if index.isMultiple(of: 2) {
                for report in report..<end {
                    body(report, value)
                    value &+= 1
                }
            }
            report = end
        }
    }

    // MARK: Gathering

    /// Takes a repeated field's numbers, packed or one alone.
    @inline(__always)
    private mutating func take(
        _ value: ProtobufReader.Value, _ bytes: Span<UInt8>, _ count: Int,
        _ add: (inout ColumnReader, UInt64) -> Bool
    ) throws(ProtobufReader.Malformed) {
        switch value {
        case .varint(let number): guard add(&self, number) else { throw ProtobufReader.Malformed() }
        case .delimited(let range):
            var reader = ProtobufReader(range)
            while !reader.isAtEnd {
                guard add(&self, try reader.varint(bytes)) else { throw ProtobufReader.Malformed() }
            }
        case .fixed32, .fixed64: throw ProtobufReader.Malformed()
        }
    }

    private mutating func takeExact(
        _ value: ProtobufReader.Value, _ bytes: Span<UInt8>, _ count: Int
    ) throws(ProtobufReader.Malformed) {
        switch value {
        case .fixed64(let place):
            guard exact.count < count else { throw ProtobufReader.Malformed() }
            exact.append(ProtobufReader.double(bytes, at: place))
        case .delimited(let range):
            guard range.count.isMultiple(of: 8), exact.count + range.count / 8 <= count else {
                throw ProtobufReader.Malformed()
            }
            for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                exact.append(ProtobufReader.double(bytes, at: place))
            }
        case .varint, .fixed32: throw ProtobufReader.Malformed()
        }
    }

    private mutating func addRun(_ run: UInt64, _ count: Int) -> Bool {
        // With none for the first, no more than reports; what none of them needs is not kept.
        guard run <= UInt64(count), runs.count <= count else { return false }
        runs.append(Int(run))
        return true
    }

    private mutating func addEntry(_ entry: UInt64, _ count: Int) -> Bool {
        guard numbers.count < count else { return false }
        numbers.append(ProtobufWire.signed(entry))
        return true
    }

    private mutating func addRepeat(_ times: UInt64, _ count: Int) -> Bool {
        guard times >= 1, times <= UInt64(count), repeats.count < count else { return false }
        repeats.append(Int(times))
        return true
    }

    // MARK: Numbers

    /// Makes the entries the numbers that they stand for.
    private mutating func resolve(_ coding: ColumnCoding, _ count: Int) throws(Impossible) {
        if !repeats.isEmpty { try expand(count) }
        var (number, step) = (Int64(0), Int64(0))
        var all: UInt64 = 0
        for index in numbers.indices {
            switch coding {
            case .values: number = numbers[index]
            case .differences: number &+= numbers[index]
            case .secondDifferences:
                if index > 0 { step &+= numbers[index] }
                number &+= index == 0 ? numbers[0] : step
            }
            numbers[index] = number
            all |= number.magnitude
        }
        guard all < 1 << 53 else { throw Impossible() }
    }

    private mutating func expand(_ count: Int) throws(Impossible) {
        guard repeats.count == numbers.count, repeats.reduce(0, +) <= count else { throw Impossible() }
        let entries = numbers
        numbers.removeAll(keepingCapacity: true)
        for (entry, times) in zip(entries, repeats) { for _ in 0..<times { numbers.append(entry) } }
    }
}
