public import Positioning

/// Bytes per day, and what becomes of the bound as they run out (configuration `reporting.data-budget`). Pure.
///
/// The day is UTC's where a clock is trusted, else 24 h from the start. While more than half of the day's bytes are left
/// nothing changes; then the bound is doubled, below a quarter it is four times, below a tenth eight times as wide.
/// Below a fiftieth nothing but heartbeats, motion changes and availability is sent; availability always is.
public struct DataBudget: Equatable, Sendable {
    /// How hard the budget binds.
    public enum Step: Int, Comparable, Sendable, CaseIterable {
        case free, twice, fourTimes, eightTimes, heartbeats

        /// What the bound is multiplied with.
        public var factor: Double { Double(1 << min(rawValue, 3)) }

        public static func < (a: Step, b: Step) -> Bool { a.rawValue < b.rawValue }
    }

    private static let day: Int64 = 86_400_000

    /// `nil`: no limit.
    public let bytesPerDay: UInt64?
    /// Bytes sent in this day, as estimated.
    public private(set) var used: UInt64 = 0
    private let start: MonotonicInstant
    private var today: Int64?

    public init(bytesPerDay: UInt64?, start: MonotonicInstant) {
        self.bytesPerDay = bytesPerDay
        self.start = start
    }

    /// The share of the day's bytes that is left, in [0, 1].
    public var left: Double {
        guard let bytesPerDay, bytesPerDay > 0 else { return 1 }
        return max(0, 1 - Double(used) / Double(bytesPerDay))
    }

    public var step: Step {
        guard bytesPerDay != nil else { return .free }
        return switch left {
        case ..<0.02: .heartbeats
        case ..<0.1: .eightTimes
        case ..<0.25: .fourTimes
        case ..<0.5: .twice
        default: .free
        }
    }

    /// Bytes went over the link. Answers whether ``step`` changed.
    public mutating func spend(_ bytes: Int, now: MonotonicInstant, utc: UTCInstant?) -> Bool {
        let former = step
        beginDay(now, utc)
        used &+= UInt64(max(0, bytes))
        return step != former
    }

    /// Time has passed. Answers whether a new day relaxed ``step``.
    public mutating func timePassed(now: MonotonicInstant, utc: UTCInstant?) -> Bool {
        let former = step
        beginDay(now, utc)
        return step != former
    }

    private mutating func beginDay(_ now: MonotonicInstant, _ utc: UTCInstant?) {
        let number =
            utc.map { floorDivide($0.milliseconds, Self.day) }
            ?? floorDivide(now.nanoseconds(since: start) / 1_000_000, Self.day)
        // The clock's first word renames the day that is under way; it does not begin another.
        let isRenamed = today.map { abs(number - $0) > 366 } ?? false
        if let today, number > today, !isRenamed { used = 0 }
        if today == nil || number > today! || isRenamed { today = number }
    }
}

private func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : (a - b + 1) / b }
