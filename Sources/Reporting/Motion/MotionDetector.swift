internal import Positioning

/// Whether the vehicle moves. Parked: ``parkedAfter`` seconds below ``parkedSpeed``. Leaving: two fixes above
/// ``leavingSpeed``, or farther from where it parked than the jitter of its receiver goes.
///
/// Where the receiver gives no speed, a vehicle is parked that stays within its jitter of one place for as long, and only
/// distance makes it leave: the speed between two jittering fixes says nothing.
struct MotionDetector: Equatable, Sendable {
    /// Metres per second.
    static let parkedSpeed = 0.5
    static let leavingSpeed = 1.0
    /// Seconds.
    static let parkedAfter = 5.0

    /// `nil` until it is known. It becomes `stationary` or `moving`, then changes between the two.
    private(set) var motion: Motion?
    /// Where and when the run of slow fixes began; where the vehicle is parked.
    private var restPoint: SpherePoint?
    private var restStart: FixInstant?
    private var fastFixes = 0

    /// Takes an accepted fix.
    ///
    /// - Parameters:
    ///   - speed: the receiver's own.
    ///   - accuracy: metres, 68 %.
    ///   - bound: metres within which receivers know the position.
    /// - Returns: whether ``motion`` changed.
    mutating func update(
        _ point: SpherePoint, at instant: FixInstant, speed: Double?, accuracy: Double?, bound: Double
    ) -> Bool {
        if let speed, speed > Self.leavingSpeed { fastFixes += 1 } else { fastFixes = 0 }
        guard motion != .stationary else { return leave(point, speed, max(bound, 3 * (accuracy ?? 0))) }
        if fastFixes >= 2, motion == nil {
            motion = .moving
            return true
        }
        if let speed, speed >= Self.parkedSpeed {
            reset(keepingFastFixes: true)
            return false
        }
        guard let restPoint, let restStart,
            speed != nil
                || restPoint.distance(to: point)
                    <= Self.reach(accuracy, seconds: instant.seconds(since: restStart))
        else {
            self.restPoint = point
            self.restStart = instant
            return false
        }
        guard instant.seconds(since: restStart) >= Self.parkedAfter else { return false }
        self.restPoint = point
        motion = .stationary
        return true
    }

    /// Nothing is known of where the vehicle rested.
    mutating func reset() { reset(keepingFastFixes: false) }

    private mutating func reset(keepingFastFixes: Bool) {
        restPoint = nil
        restStart = nil
        if !keepingFastFixes { fastFixes = 0 }
    }

    private mutating func leave(_ point: SpherePoint, _ speed: Double?, _ reach: Double) -> Bool {
        let hasLeft = restPoint.map { $0.distance(to: point) > reach } ?? true
        guard fastFixes >= 2 || hasLeft else { return false }
        motion = .moving
        reset(keepingFastFixes: true)
        return true
    }

    /// Metres that a receiver without speed may seem to move in a time while it is parked.
    private static func reach(_ accuracy: Double?, seconds: Double) -> Double {
        max(min(max(accuracy ?? 3, 2), 5), parkedSpeed * seconds)
    }
}
