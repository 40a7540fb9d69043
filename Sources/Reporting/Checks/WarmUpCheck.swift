internal import Positioning

/// The first fixes after a cold start, which a receiver is still improving (configuration `checks.warm-up`).
struct WarmUpCheck: Equatable, Sendable {
    /// Nanoseconds.
    private let duration: Int64
    private var start: MonotonicInstant?

    init(_ duration: Duration) { self.duration = duration.wholeNanoseconds }

    /// Judges a fix that is plausible so far; the first one starts the time.
    mutating func reject(now: MonotonicInstant) -> Rejection? {
        guard duration > 0 else { return nil }
        let begin = start ?? now
        start = begin
        let elapsed = now.nanoseconds(since: begin)
        guard elapsed < duration else { return nil }
        return Rejection(rule: .warmUp, value: Double(elapsed) * 1e-9, threshold: Double(duration) * 1e-9)
    }
}
