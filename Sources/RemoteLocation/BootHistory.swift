internal import FleetWire
internal import Positioning

/// What is known of the reports of one boot.
struct BootHistory: Equatable, Sendable {
    /// More gaps than this in one boot are not remembered apart: the oldest is given up.
    static let rangeLimit = 10_000

    let instance: String
    let boot: UInt64
    private(set) var received = SequenceRanges()
    private(set) var gone = SequenceRanges()
    /// Answered as coming and not here yet.
    private(set) var promised = SequenceRanges()
    var promiseEnd: MonotonicInstant?
    /// The highest sequence known to be assigned.
    private(set) var last: UInt64 = 0
    /// Missing reports that are not told apart any more; counted as received in ``received``.
    private(set) var forgotten: UInt64 = 0
    var isEndKnown = false
    var clockOffset: UTCInstant?
    /// When what is missing may be asked for.
    var settled: MonotonicInstant?
    var refusal: ReplyMessage.Refusal?

    init(instance: String, boot: UInt64) {
        self.instance = instance
        self.boot = boot
    }

    private var all: Range<UInt64> { 1..<last + 1 }

    /// What is not here and not lost for good, promised or not.
    var missing: SequenceRanges { received.gaps(in: all).subtracting(gone) }

    /// What is to be asked for.
    var unasked: SequenceRanges { missing.subtracting(promised) }

    /// Whether ``unasked`` has members, without building it: the sets have none in common.
    var hasUnasked: Bool { received.count + gone.count + promised.count < last }

    /// Whether the report is new.
    mutating func receive(_ sequence: UInt64) -> Bool {
        guard sequence > 0, sequence < .max, !received.contains(sequence) else { return false }
        received.insert(sequence)
        if !gone.isEmpty { gone.remove(sequence) }
        if !promised.isEmpty { promised.remove(sequence) }
        last = max(last, sequence)
        if received.ranges.count > Self.rangeLimit {
            let gap = received.ranges[0].upperBound..<received.ranges[1].lowerBound
            gone.remove(gap)
            promised.remove(gap)
            received.insert(gap)
            forgotten += gap.upperBound - gap.lowerBound
        }
        return true
    }

    /// The agent says that it assigned the sequences up to `sequence`.
    mutating func hear(last sequence: UInt64) { if sequence < .max { last = max(last, sequence) } }

    mutating func giveUp(_ sequences: SequenceRanges) {
        for range in sequences.ranges {
            for gap in received.gaps(in: range).ranges {
                gone.insert(gap)
                promised.remove(gap)
            }
        }
    }

    mutating func promise(_ sequences: SequenceRanges, until end: MonotonicInstant) {
        for range in sequences.ranges { for gap in received.gaps(in: range).ranges { promised.insert(gap) } }
        promiseEnd = end
    }

    mutating func breakPromise() {
        promised.removeAll()
        promiseEnd = nil
    }
}

extension SequenceRanges {
    func subtracting(_ other: SequenceRanges) -> SequenceRanges {
        var result = self
        for range in other.ranges { result.remove(range) }
        return result
    }
}
