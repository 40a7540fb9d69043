internal import Positioning

/// A lane held back after the broker refused it a report for a cause that may pass.
struct LaneHold {
    private(set) var until: MonotonicInstant?
    private var delay: Duration?

    /// Whether the lane is held back at `now`; a hold that is over ends.
    mutating func holds(now: MonotonicInstant) -> Bool {
        guard let until else { return false }
        if until <= now { self.until = nil }
        return until > now
    }

    mutating func refused(now: MonotonicInstant, first: Duration, longest: Duration) {
        let delay = delay.map { min($0 * 2, longest) } ?? first
        self.delay = delay
        until = now + delay
    }

    mutating func delivered() { delay = nil }

    /// A new connection may have other rights.
    mutating func end() { self = LaneHold() }
}
