/// How long to wait before the next attempt to connect: full jitter below a doubling, capped ceiling, so that a fleet
/// that lost its server does not come back in one moment.
///
/// A connection that lasted shorter than ``stableAfter`` does not reset the ceiling: a server that accepts and drops
/// is treated as one that refuses.
public struct Backoff: Equatable, Sendable {
    /// The first ceiling, nanoseconds.
    public var initial: Int64
    /// The largest ceiling, nanoseconds.
    public var maximum: Int64
    /// How long a connection must last to count as good, nanoseconds.
    public var stableAfter: Int64
    private var attempts = 0

    public init(initial: Int64 = 1_000_000_000, maximum: Int64 = 60_000_000_000, stableAfter: Int64 = 10_000_000_000) {
        self.initial = initial
        self.maximum = maximum
        self.stableAfter = stableAfter
    }

    /// The delay in nanoseconds before the next attempt.
    ///
    /// - Parameter random: a number in [0, 1).
    public mutating func next(random: Double) -> Int64 {
        let ceiling = ceiling(after: attempts)
        attempts += 1
        return Int64(ceiling * random)
    }

    private func ceiling(after attempts: Int) -> Double {
        min(Double(maximum), Double(initial) * Double(UInt64(1) << UInt64(min(attempts, 40))))
    }

    /// What the last delay was drawn below, nanoseconds; 0 before the first and after a good connection.
    public var ceiling: Int64 {
        attempts == 0 ? 0 : Int64(ceiling(after: attempts - 1))
    }

    /// Tells how long the connection that just ended had lasted, nanoseconds.
    public mutating func connectionEnded(after duration: Int64) {
        if duration >= stableAfter { attempts = 0 }
    }
}
