internal import Positioning

/// When a fix was true, for intervals between fixes: by the receiver's own time where both were dated by it, so that a
/// fast replay or a burst after a stall is judged like the drive itself; else by arrival. The wall clock has no part in it.
struct FixInstant: Equatable, Sendable {
    var time: UTCInstant?
    var arrival: MonotonicInstant

    /// Seconds, never negative. A receiver whose time went back is measured by arrival.
    func seconds(since earlier: FixInstant) -> Double {
        if let time, let before = earlier.time {
            let (difference, overflow) = time.milliseconds.subtractingReportingOverflow(before.milliseconds)
            if !overflow, difference > 0 { return Double(difference) * 1e-3 }
        }
        return Double(max(0, arrival.nanoseconds(since: earlier.arrival))) * 1e-9
    }
}
