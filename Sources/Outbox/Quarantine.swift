internal import Positioning

/// The reports that the broker refused for what they are, by the reason code that it gave.
struct Quarantine: Equatable {
    private(set) var reasons: [UInt8: SequenceRanges] = [:]

    var isEmpty: Bool { reasons.isEmpty }

    mutating func insert(_ numbers: Range<UInt64>, reason: UInt8) {
        reasons[reason, default: SequenceRanges()].insert(numbers)
    }

    mutating func forget(below number: UInt64) {
        for reason in reasons.keys {
            reasons[reason]?.remove(0..<number)
            if reasons[reason]?.isEmpty == true { reasons[reason] = nil }
        }
    }
}
