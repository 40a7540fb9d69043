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
        guard rests(point, at: instant, speed: speed, accuracy: accuracy), let restStart else {
            restPoint = point
            restStart = instant
            return false
        }
        guard instant.seconds(since: restStart) >= Self.parkedAfter else { return false }
        restPoint = point
        motion = .stationary
        return true
    }

    /// Nothing is known of where the vehicle rested.
    mutating func reset() {
        restPoint = nil
        restStart = nil
        fastFixes = 0
    }

    private mutating func leave(_ point: SpherePoint, _ speed: Double?, _ reach: Double) -> Bool {
        let hasLeft = restPoint.map { $0.distance(to: point) > reach } ?? true
        guard fastFixes >= 2 || hasLeft else { return false }
        motion = .moving
        restPoint = nil
        restStart = nil
        return true
    }

    /// Whether the fix goes on with the run of slow ones.
    private func rests(_ point: SpherePoint, at instant: FixInstant, speed: Double?, accuracy: Double?) -> Bool {
        guard let restPoint, let restStart else { return false }
        if let speed { return speed < Self.parkedSpeed }
        let jitter = min(max(accuracy ?? 3, 2), 5)
        return restPoint.distance(to: point) <= max(jitter, Self.parkedSpeed * instant.seconds(since: restStart))
    }
}
