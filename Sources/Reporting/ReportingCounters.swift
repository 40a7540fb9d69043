public import Positioning

/// What became of the fixes since the start.
public struct ReportingCounters: Equatable, Sendable {
    /// Fixes that were sent or held.
    public internal(set) var accepted: UInt64 = 0
    /// Drafts made.
    public internal(set) var sent: UInt64 = 0
    private var rejections = [UInt64](repeating: 0, count: RejectionRule.allCases.count)
    private var reasons = [UInt64](repeating: 0, count: UInt8.bitWidth)

    public init() {}

    /// How many fixes a rule rejected.
    public func rejected(by rule: RejectionRule) -> UInt64 { rejections[rule.index] }

    /// How many plausible fixes were unreliable for `reason`, whether sent or dropped.
    public func unreliable(for reason: UnreliableReasons) -> UInt64 {
        reason.rawValue == 0 ? 0 : reasons[reason.rawValue.trailingZeroBitCount]
    }

    mutating func count(_ rule: RejectionRule) { rejections[rule.index] += 1 }

    mutating func count(_ unreliable: UnreliableReasons) {
        var rest = unreliable.rawValue
        while rest != 0 {
            reasons[rest.trailingZeroBitCount] += 1
            rest &= rest - 1
        }
    }
}

extension RejectionRule {
    fileprivate var index: Int {
        switch self {
        case .duplicate: 0
        case .outOfOrder: 1
        case .date: 2
        case .future: 3
        case .stale: 4
        case .nullIsland: 5
        case .inaccurate: 6
        case .warmUp: 7
        case .speed: 8
        case .jump: 9
        case .frozen: 10
        case .unreliable: 11
        }
    }
}
