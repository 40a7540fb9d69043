internal import Positioning

/// A fix is neither old nor ahead of its time.
///
/// Fix times are compared with the trusted clock until a fix has passed by it; from then on with the progress of the
/// monotonic clock since, so that a step of the wall clock changes nothing. Where no clock is trusted, monotonic
/// progress is all there is. Progress is measured against the smallest (arrival - fix time) of the last ten to twenty
/// minutes, so that neither one late fix nor a drifting quartz shifts the base. A date that leaps ahead of that progress by
/// more than half a day (G10) is compared with the clock again.
struct AgeCheck: Equatable, Sendable {
    /// Half the memory of the smallest delay, in nanoseconds.
    private static let window: Int64 = 600_000_000_000
    /// Nanoseconds that a date leaps by, and a replay that is faster than life hardly does.
    private static let leap: Int64 = 43_200_000_000_000

    private let maxAge: Double?
    private let tolerance: Double
    private var windowStart: Int64 = 0
    private var smallest: Int64?
    private var smallestBefore: Int64?
    private var newestDelay: Int64?
    private var isVerified = false

    init(_ checks: ReportingPolicy.Checks) {
        maxAge = checks.maxAge?.inSeconds
        tolerance = checks.futureTolerance.inSeconds
    }

    /// Judges a fix of this time; changes nothing.
    func reject(_ time: UTCInstant, now: MonotonicInstant, utc: UTCInstant?) -> Rejection? {
        if let utc, !isVerified {
            let age = (utc - time).inSeconds
            if -age > tolerance { return Rejection(rule: .future, value: -age, threshold: tolerance) }
            return tooOld(age)
        }
        guard let base, let newestDelay else { return nil }
        let delay = delay(time, now)
        if let utc, newestDelay &- delay > Self.leap, (time - utc).inSeconds > tolerance {
            return Rejection(rule: .future, value: (time - utc).inSeconds, threshold: tolerance)
        }
        return tooOld(Double(delay &- base) * 1e-9)
    }

    /// Forgets what was learnt from another time base.
    mutating func reset() {
        smallest = nil
        smallestBefore = nil
        newestDelay = nil
        isVerified = false
    }

    /// Learns from an accepted fix.
    mutating func accept(_ time: UTCInstant, now: MonotonicInstant, utc: UTCInstant?) {
        if utc != nil { isVerified = true }
        let delay = delay(time, now)
        newestDelay = delay
        if smallest == nil || now.nanoseconds &- windowStart > Self.window {
            smallestBefore = smallest
            smallest = delay
            windowStart = now.nanoseconds
        } else if let known = smallest, delay < known {
            smallest = delay
        }
    }

    private var base: Int64? {
        guard let smallest else { return nil }
        return min(smallest, smallestBefore ?? smallest)
    }

    private func tooOld(_ age: Double) -> Rejection? {
        guard let maxAge, age > maxAge else { return nil }
        return Rejection(rule: .stale, value: age, threshold: maxAge)
    }

    /// Nanoseconds between two clocks with different origins; wraps around rather than trapping on absurd times.
    private func delay(_ time: UTCInstant, _ now: MonotonicInstant) -> Int64 {
        now.nanoseconds &- time.milliseconds &* 1_000_000
    }
}
