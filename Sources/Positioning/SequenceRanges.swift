/// A set of numbers that count up, kept as its ranges: sequences of reports (WIRE.md, Identity) or places in a queue.
/// What it costs follows from the number of gaps, not of members.
public struct SequenceRanges: Equatable, Sendable {
    /// Ascending; not empty, not touching.
    public private(set) var ranges: [Range<UInt64>]
    /// How many numbers there are.
    public private(set) var count: UInt64 = 0

    public init() { ranges = [] }

    public init(_ range: Range<UInt64>) {
        ranges = range.isEmpty ? [] : [range]
        count = range.length
    }

    public var isEmpty: Bool { ranges.isEmpty }

    public var first: UInt64? { ranges.first?.lowerBound }

    public var last: UInt64? { ranges.last.map { $0.upperBound - 1 } }

    public func contains(_ number: UInt64) -> Bool {
        let index = firstRange(endingAbove: number)
        return index < ranges.count && ranges[index].lowerBound <= number
    }

    /// The smallest member in `range`.
    public func first(in range: Range<UInt64>) -> UInt64? {
        let index = firstRange(endingAbove: range.lowerBound)
        guard index < ranges.count else { return nil }
        let number = max(ranges[index].lowerBound, range.lowerBound)
        return number < range.upperBound ? number : nil
    }

    /// The members in `range`, ascending.
    public func intersection(_ range: Range<UInt64>) -> SequenceRanges {
        var result = SequenceRanges()
        var index = firstRange(endingAbove: range.lowerBound)
        while index < ranges.count, ranges[index].lowerBound < range.upperBound {
            result.insert(ranges[index].clamped(to: range))
            index += 1
        }
        return result
    }

    /// The numbers of `range` that are no members, ascending.
    public func gaps(in range: Range<UInt64>) -> SequenceRanges {
        var result = SequenceRanges(range)
        for member in intersection(range).ranges { result.remove(member) }
        return result
    }

    public mutating func insert(_ range: Range<UInt64>) {
        guard !range.isEmpty else { return }
        // The usual case: the next one.
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            count += range.length
            return
        }
        let start = firstRange(endingAbove: range.lowerBound == 0 ? 0 : range.lowerBound - 1)
        var end = start
        var joined = range
        while end < ranges.count, ranges[end].lowerBound <= range.upperBound {
            joined = min(joined.lowerBound, ranges[end].lowerBound)..<max(joined.upperBound, ranges[end].upperBound)
            count -= ranges[end].length
            end += 1
        }
        ranges.replaceSubrange(start..<end, with: CollectionOfOne(joined))
        count += joined.length
    }

    public mutating func insert(_ number: UInt64) { insert(number..<number + 1) }

    public mutating func remove(_ range: Range<UInt64>) {
        var index = firstRange(endingAbove: range.lowerBound)
        while index < ranges.count, ranges[index].lowerBound < range.upperBound, !range.isEmpty {
            let old = ranges[index]
            let before = old.lowerBound..<max(old.lowerBound, range.lowerBound)
            let after = min(old.upperBound, range.upperBound)..<old.upperBound
            count -= old.length - before.length - after.length
            switch (before.isEmpty, after.isEmpty) {
            case (true, true): ranges.remove(at: index)
            case (false, true):
                ranges[index] = before
                index += 1
            case (true, false): ranges[index] = after
            case (false, false):
                ranges[index] = before
                ranges.insert(after, at: index + 1)
            }
            if !after.isEmpty { return }
        }
    }

    public mutating func remove(_ number: UInt64) { remove(number..<number + 1) }

    public mutating func removeAll() {
        ranges.removeAll(keepingCapacity: true)
        count = 0
    }

    private func firstRange(endingAbove number: UInt64) -> Int {
        // The front is what a queue asks for.
        guard let first = ranges.first, first.upperBound <= number else { return 0 }
        var low = 1
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > number { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Range<UInt64> {
    /// How many numbers there are; `count` would trap beyond `Int.max`.
    fileprivate var length: UInt64 { upperBound - lowerBound }
}
