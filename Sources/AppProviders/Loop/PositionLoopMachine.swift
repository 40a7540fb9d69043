internal import Positioning

/// When a position loop ticks, and what it makes of a position: pure.
struct PositionLoopMachine: Equatable, Sendable {
    /// Nanoseconds, above zero.
    let interval: Int64
    /// When the next tick is due; `nil` while the loop stands.
    private(set) var deadline: MonotonicInstant?

    init(interval: Duration) { self.interval = max(interval.wholeNanoseconds, 1) }

    /// The first tick comes after one interval; a running loop goes on as it is.
    mutating func start(now: MonotonicInstant) {
        if deadline == nil { deadline = now.advanced(byNanoseconds: interval) }
    }

    mutating func stop() { deadline = nil }

    /// Whether a tick is due. Ticks keep their rhythm; those that were missed are not made up for.
    mutating func isDue(now: MonotonicInstant) -> Bool {
        guard let due = deadline, due <= now else { return false }
        let missed = now.nanoseconds(since: due) / interval
        deadline = due.advanced(byNanoseconds: (missed + 1) * interval)
        return true
    }

    /// What is dispatched of a tick's position. S3 dispatches where its fix number is at least 0, and every
    /// ``NavigationFix`` is that: `none` goes through as well, and is marked.
    static func dispatched(_ position: Location) -> Location {
        var position = position
        if NavigationFix(position.fix) == .none { position.unreliable.insert(.noFix) }
        return position
    }
}
