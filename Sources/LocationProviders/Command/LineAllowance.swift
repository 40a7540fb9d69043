internal import Positioning

/// How many lines of a talkative program go to a log: five at once, and one more every ten seconds.
struct LineAllowance: Equatable, Sendable {
    private static let limit = 5
    private static let interval: Int64 = 10_000_000_000

    private var left = LineAllowance.limit
    private var since: MonotonicInstant?
    private var suppressed: UInt64 = 0

    /// How many lines were left out since the last one; `nil` where this one is to be left out too.
    mutating func take(_ now: MonotonicInstant) -> UInt64? {
        if let since, left < Self.limit {
            let gained = now.nanoseconds(since: since) / Self.interval
            if gained > 0 {
                left = min(Self.limit, left + Int(clamping: gained))
                self.since = since.advanced(
                    byNanoseconds: gained.multipliedReportingOverflow(by: Self.interval).partialValue)
            }
        }
        guard left > 0 else {
            suppressed += 1
            return nil
        }
        if left == Self.limit { since = now }
        left -= 1
        defer { suppressed = 0 }
        return suppressed
    }
}
