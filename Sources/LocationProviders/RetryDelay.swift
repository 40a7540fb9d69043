internal import Positioning

/// How long to wait before the next attempt to connect: full jitter below a doubling, capped ceiling. A connection that
/// did not last does not reset it, so that a server that accepts and drops is treated as one that refuses.
struct RetryDelay: Equatable, Sendable {
    static let initial = Duration.seconds(1)
    static let maximum = Duration.seconds(30)
    static let stableAfter = Duration.seconds(10)

    private var attempts = 0

    /// - Parameter random: a number in [0, 1).
    mutating func next(random: Double) -> Duration {
        let ceiling = min(Self.maximum, Self.initial * (1 << min(attempts, 10)))
        attempts += 1
        return ceiling * random
    }

    mutating func connectionEnded(after duration: Duration) {
        if duration >= Self.stableAfter { attempts = 0 }
    }
}
