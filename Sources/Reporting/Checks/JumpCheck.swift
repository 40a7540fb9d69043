internal import Positioning

/// No vehicle moves between two fixes faster than the limit, allowing for the accuracy of both.
///
/// One outlier is dropped. A new place is believed after ``runLength`` consistent fixes, or ``runDuration`` seconds of them
/// (R06: a ferry, a tunnel), and at once where the fix is clearly better than a first one that no other confirmed. Only
/// accepted fixes are measured from; the time they measure by goes on, so that no gap locks a vehicle out.
struct JumpCheck: Equatable, Sendable {
    /// A place to measure from or to.
    struct Place: Equatable, Sendable {
        var point: SpherePoint
        var instant: FixInstant
        /// Metres, 68 %; `nil` where unknown.
        var accuracy: Double?
        var isReliable: Bool
    }

    static let runLength = 3
    /// Seconds.
    static let runDuration = 10.0
    /// What a receiver that does not say is taken for, in metres.
    static let unknownAccuracy = 15.0

    private let maxSpeed: Double?
    private var reference: Place?
    /// Whether another accepted fix agreed with the reference.
    private var isConfirmed = false
    private var candidate: Place?
    private var runStart: FixInstant?
    private var run = 0

    /// - Parameter maxSpeed: metres per second; `nil`: no limit.
    init(maxSpeed: Double?) { self.maxSpeed = maxSpeed }

    /// Judges a fix; a rejected one changes only the run that leads to a new place.
    mutating func reject(_ place: Place) -> Rejection? {
        guard let maxSpeed, let reference, !(place.isReliable && !reference.isReliable) else { return nil }
        let implied = Self.impliedSpeed(from: reference, to: place)
        if implied <= maxSpeed { return nil }
        if !isConfirmed, Self.isClearlyBetter(place, than: reference) { return nil }
        if let candidate, let runStart, Self.impliedSpeed(from: candidate, to: place) <= maxSpeed {
            run += 1
            self.candidate = place
            if run >= Self.runLength || place.instant.seconds(since: runStart) >= Self.runDuration { return nil }
        } else {
            candidate = place
            runStart = place.instant
            run = 1
        }
        return Rejection(rule: .jump, value: implied, threshold: maxSpeed)
    }

    /// Measures from this fix from now on. An unreliable one takes no reliable one's place.
    ///
    /// - Returns: whether the vehicle was somewhere else by what was known before.
    mutating func accept(_ place: Place) -> Bool {
        guard let before = reference else {
            reference = place
            return false
        }
        let isJump = Self.impliedSpeed(from: before, to: place) > (maxSpeed ?? .infinity)
        if before.isReliable, !place.isReliable { return isJump }
        isConfirmed = isJump ? run > 1 : before.isReliable == place.isReliable
        reference = place
        candidate = nil
        runStart = nil
        run = 0
        return isJump
    }

    private static func impliedSpeed(from a: Place, to b: Place) -> Double {
        let allowance = 2 * ((a.accuracy ?? unknownAccuracy) + (b.accuracy ?? unknownAccuracy))
        let distance = a.point.distance(to: b.point) - allowance
        // Two fixes of one instant are a millisecond apart: the resolution of their time.
        return distance <= 0 ? 0 : distance / max(b.instant.seconds(since: a.instant), 0.001)
    }

    private static func isClearlyBetter(_ place: Place, than other: Place) -> Bool {
        guard let accuracy = place.accuracy else { return false }
        guard let before = other.accuracy else { return true }
        return accuracy <= before / 2
    }
}
