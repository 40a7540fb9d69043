/// Writes columns: gathers the numbers of those that have one, then chooses the shortest coding.
///
/// One writer serves all columns of a message, so that its memory is got once.
struct ColumnWriter {
    /// How a column's entries are laid out, and the bytes they take.
    fileprivate struct Layout {
        var coding = ColumnCoding.differences
        var isRepeated = false
        var entries = 0
        var repeats = 0

        var length: Int {
            packedLength(ColumnField.entries, entries) + packedLength(ColumnField.repeats, repeats)
                + (coding == .differences ? 0 : 2)
        }
    }

    /// The numbers of the reports that have one.
    private var numbers: [Int64] = []
    /// The values themselves, where they are no numbers.
    private var exact: [Double] = []
    /// How many reports running have a number and have none, in turns; the last one is open.
    private var runs: [Int] = []
    private var run = 0
    private var isPresent = true

    init(capacity: Int) { numbers.reserveCapacity(capacity) }

    // MARK: Gathering

    mutating func begin() {
        numbers.removeAll(keepingCapacity: true)
        exact.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        run = 0
        isPresent = true
    }

    @inline(__always)
    mutating func add(_ number: Int64?) {
        mark(number != nil)
        if let number { numbers.append(number) }
    }

    @inline(__always)
    mutating func mark(_ isPresent: Bool) {
        if isPresent != self.isPresent {
            runs.append(run)
            run = 0
            self.isPresent = isPresent
        }
        run &+= 1
    }

    /// Adds the values themselves of a column whose numbers would be too large.
    mutating func add(exact value: Double?) {
        mark(value != nil)
        if let value { exact.append(value) }
    }

    var isEmpty: Bool { numbers.isEmpty && exact.isEmpty }

    /// Takes away the decimals that no number needs, down to the least.
    ///
    /// - Returns: how many are left above the least.
    mutating func dropDecimals(from decimals: Int, to least: Int) -> Int {
        var finer = decimals - least
        while finer > 0, numbers.allSatisfy({ $0 % 10 == 0 }) {
            for index in numbers.indices { numbers[index] /= 10 }
            finer -= 1
        }
        return finer
    }

    // MARK: Writing

    /// How what was gathered is written, and the bytes it takes.
    struct Plan {
        fileprivate var layout: Layout
        fileprivate var presence: Int
        fileprivate var finer: Int
        fileprivate var length: Int

        /// Bytes as the field `field`.
        func room(_ field: Int) -> Int {
            ProtobufWire.tagLength(field) + ProtobufWire.length(UInt64(length)) + length
        }
    }

    /// Writes what was gathered as the column of `field`; nothing where no report has a number.
    mutating func write(_ field: Int, finer: Int, into buffer: inout [UInt8]) {
        guard !isEmpty else { return }
        let plan = plan(finer: finer)
        buffer.append(addingCapacity: plan.room(field)) { (out: inout OutputSpan<UInt8>) in
            write(plan, field, to: &out)
        }
    }

    /// The column must not be empty.
    mutating func plan(finer: Int) -> Plan {
        if isPresent, !runs.isEmpty {
            runs.append(run)
            run = 0
        }
        let presence = runs.reduce(0) { $0 + ProtobufWire.length(UInt64($1)) }
        let layout = exact.isEmpty ? shortest() : Layout()
        let values = exact.isEmpty ? layout.length : packedLength(ColumnField.exact, exact.count * 8)
        let length = packedLength(ColumnField.present, presence) + values + (finer > 0 ? 2 : 0)
        return Plan(layout: layout, presence: presence, finer: finer, length: length)
    }

    func write(_ plan: Plan, _ field: Int, to out: inout OutputSpan<UInt8>) {
        out.append(tag: field, .delimited)
        out.append(varint: UInt64(plan.length))
        if !runs.isEmpty {
            out.append(tag: ColumnField.present, .delimited)
            out.append(varint: UInt64(plan.presence))
            for run in runs { out.append(varint: UInt64(run)) }
        }
        if exact.isEmpty {
            write(plan.layout, to: &out)
            if plan.finer > 0 { out.append(field: ColumnField.finer, varint: UInt64(plan.finer)) }
        } else {
            out.append(tag: ColumnField.exact, .delimited)
            out.append(varint: UInt64(exact.count * 8))
            for value in exact {
                for place in 0..<8 { out.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(8 * place))) }
            }
        }
    }

    /// What each coding takes, in one pass.
    private func shortest() -> Layout {
        guard var number = numbers.first else { return Layout() }
        let length = ProtobufWire.length(ProtobufWire.zigZag(number))
        var differences = Layout(entries: length)
        var seconds = Layout(coding: .secondDifferences, entries: length)
        var valueRuns = Layout(coding: .values, isRepeated: true, entries: length)
        var differenceRuns = Layout(isRepeated: true, entries: length)
        var (entry, step, valueRun, differenceRun) = (number, Int64(0), UInt64(1), UInt64(1))
        for index in 1..<numbers.count {
            let next = numbers[index]
            let difference = next &- number
            let length = ProtobufWire.length(ProtobufWire.zigZag(difference))
            differences.entries &+= length
            seconds.entries &+= ProtobufWire.length(ProtobufWire.zigZag(difference &- step))
            if difference != 0 {
                valueRuns.entries &+= ProtobufWire.length(ProtobufWire.zigZag(next))
                valueRuns.repeats &+= ProtobufWire.length(valueRun)
                valueRun = 0
            }
            valueRun &+= 1
            if difference != entry {
                differenceRuns.entries &+= length
                differenceRuns.repeats &+= ProtobufWire.length(differenceRun)
                differenceRun = 0
            }
            differenceRun &+= 1
            (number, entry, step) = (next, difference, difference)
        }
        valueRuns.repeats &+= ProtobufWire.length(valueRun)
        differenceRuns.repeats &+= ProtobufWire.length(differenceRun)
        var best = differences
        if seconds.length < best.length { best = seconds }
        if valueRuns.length < best.length { best = valueRuns }
        if differenceRuns.length < best.length { best = differenceRuns }
        return best
    }

    private func write(_ layout: Layout, to out: inout OutputSpan<UInt8>) {
        out.append(tag: ColumnField.entries, .delimited)
        out.append(varint: UInt64(layout.entries))
        forEachEntry(layout) { entry, _ in out.append(varint: ProtobufWire.zigZag(entry)) }
        if layout.isRepeated {
            out.append(tag: ColumnField.repeats, .delimited)
            out.append(varint: UInt64(layout.repeats))
            forEachEntry(layout) { _, count in out.append(varint: count) }
        }
        if layout.coding != .differences {
            out.append(field: ColumnField.coding, varint: layout.coding.rawValue)
        }
    }

    /// Each entry with how often it stands.
    @inline(__always)
    private func forEachEntry(_ layout: Layout, _ body: (Int64, UInt64) -> Void) {
        var (number, step, pending, count) = (Int64(0), Int64(0), Int64(0), UInt64(0))
        for index in 0..<numbers.count {
            let next = numbers[index]
            let difference = next &- number
            let entry: Int64
            switch layout.coding {
            case .differences: entry = difference
            case .values: entry = next
            case .secondDifferences: entry = difference &- step
            }
            if layout.isRepeated {
                if count > 0, entry != pending {
                    body(pending, count)
                    count = 0
                }
                pending = entry
                count &+= 1
            } else {
                body(entry, 1)
            }
            number = next
            step = index == 0 ? 0 : difference
        }
        if layout.isRepeated { body(pending, count) }
    }
}

/// Bytes of a packed field with its head; none where it is empty.
private func packedLength(_ field: Int, _ length: Int) -> Int {
    length == 0 ? 0 : ProtobufWire.tagLength(field) + ProtobufWire.length(UInt64(length)) + length
}
