internal import Positioning

/// The newest reports, in order of their numbers, in a ring.
struct RecentReports {
    private struct Slot {
        var number: UInt64
        var report: Report
        /// When it was made.
        var since: MonotonicInstant
    }

    private var slots: [Slot?] = Array(repeating: nil, count: 16)
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var firstNumber: UInt64? { count == 0 ? nil : slot(0).number }

    private func slot(_ index: Int) -> Slot { slots[(head + index) & (slots.count - 1)]! }

    mutating func append(_ report: Report, number: UInt64, at since: MonotonicInstant) {
        if count == slots.count {
            let old = slots
            slots = Array(repeating: nil, count: old.count * 2)
            for index in 0..<count { slots[index] = old[(head + index) & (old.count - 1)] }
            head = 0
        }
        slots[(head + count) & (slots.count - 1)] = Slot(number: number, report: report, since: since)
        count += 1
    }

    /// How many have a number below `number`: the place of the first that has not.
    func index(of number: UInt64) -> Int {
        guard count > 0, slot(0).number < number else { return 0 }
        // There are rarely gaps.
        let guess = number - slot(0).number
        if guess < UInt64(count), slot(Int(guess)).number == number { return Int(guess) }
        var low = 1
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if slot(middle).number >= number { high = middle } else { low = middle + 1 }
        }
        return low
    }

    subscript(number: UInt64) -> Report? {
        let index = index(of: number)
        guard index < count, slot(index).number == number else { return nil }
        return slot(index).report
    }

    /// When the first one at or after `number` was made.
    func since(_ number: UInt64) -> MonotonicInstant? {
        let index = index(of: number)
        return index < count ? slot(index).since : nil
    }

    /// The first number in `range`.
    func first(in range: Range<UInt64>) -> UInt64? {
        let index = index(of: range.lowerBound)
        guard index < count, slot(index).number < range.upperBound else { return nil }
        return slot(index).number
    }

    /// The numbers in `range`.
    func numbers(in range: Range<UInt64>) -> SequenceRanges {
        var result = SequenceRanges()
        for index in index(of: range.lowerBound)..<index(of: range.upperBound) { result.insert(slot(index).number) }
        return result
    }

    /// Reports whose numbers have no gap between them, the first at or after `number`; at most `limit`.
    func run(from number: UInt64, limit: Int) -> (number: UInt64, reports: [Report])? {
        let start = index(of: number)
        guard start < count else { return nil }
        let first = slot(start).number
        var reports: [Report] = []
        reports.reserveCapacity(min(limit, count - start))
        while reports.count < limit, start + reports.count < count {
            let next = slot(start + reports.count)
            guard next.number == first + UInt64(reports.count) else { break }
            if let last = reports.last?.identity, !next.report.identity.isNext(to: last) { break }
            reports.append(next.report)
        }
        return (first, reports)
    }

    mutating func removeAll(below number: UInt64) {
        for _ in 0..<index(of: number) { removeFirst() }
    }

    mutating func removeFirst() {
        slots[head] = nil
        head = (head + 1) & (slots.count - 1)
        count -= 1
        // A long outage of the disk is over.
        if count == 0, slots.count > 1024 {
            slots = Array(repeating: nil, count: 16)
            head = 0
        }
    }

    /// Cheap near the end.
    mutating func remove(_ number: UInt64) {
        let index = index(of: number)
        guard index < count, slot(index).number == number else { return }
        let mask = slots.count - 1
        for place in index..<count - 1 { slots[(head + place) & mask] = slots[(head + place + 1) & mask] }
        slots[(head + count - 1) & mask] = nil
        count -= 1
    }
}

extension ReportIdentity {
    fileprivate func isNext(to other: ReportIdentity) -> Bool {
        sequence == other.sequence + 1 && boot == other.boot && instance == other.instance
    }
}
