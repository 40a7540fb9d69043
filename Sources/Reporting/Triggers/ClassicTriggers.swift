internal import Positioning

/// The thresholds that trackers have: distance, course and speed against the last report, and an accuracy that is clearly
/// better.
struct ClassicTriggers: Equatable, Sendable {
    /// An accuracy is clearly better when it is at most this share of the last report's, which was worse than
    /// ``poorAccuracy``.
    static let betterShare = 0.5
    /// Metres.
    static let poorAccuracy = 20.0

    /// The last report that had a place at all.
    private var last: SpherePoint?
    /// The last reliable one, which is the one that the broker keeps.
    private var lastReliable: SpherePoint?
    private var accuracy: Double?
    private var course: Double?
    private var speed: Double?

    mutating func sent(_ location: Location, _ place: SpherePoint?, _ velocity: Velocity?) {
        course = Self.course(location, velocity) ?? course
        speed = location.speed ?? velocity?.speed ?? speed
        guard let place else { return }
        last = place
        guard location.isReliable else { return }
        lastReliable = place
        accuracy = location.horizontalAccuracy
    }

    /// Why the fix is worth sending; `nil` if it is not.
    ///
    /// Distance is measured between reliable positions, for an unreliable one from whatever was sent last. A receiver
    /// without accuracy gets no promise: where nothing but the error bound is configured, that is its distance.
    func trigger(
        _ location: Location, _ place: SpherePoint, _ velocity: Velocity?, _ profile: ReportingPolicy.Profile
    ) -> ReportTrigger? {
        guard location.isReliable else {
            let distance = profile.minDistance > 0 ? profile.minDistance : profile.maxError
            if distance > 0, let last, last.distance(to: place) >= distance { return .distance }
            return change(location, velocity, profile)
        }
        guard let lastReliable else { return .first }
        if profile.minDistance > 0, lastReliable.distance(to: place) >= profile.minDistance { return .distance }
        if let trigger = change(location, velocity, profile) { return trigger }
        if let accuracy, accuracy > Self.poorAccuracy, let better = location.horizontalAccuracy,
            better <= accuracy * Self.betterShare
        {
            // The receivers' error is what becomes smaller.
            return .error
        }
        return nil
    }

    private func change(
        _ location: Location, _ velocity: Velocity?, _ profile: ReportingPolicy.Profile
    ) -> ReportTrigger? {
        if profile.minHeadingChange > 0, let course, let now = Self.course(location, velocity) {
            let difference = abs(now - course)
            if min(difference, 360 - difference) >= profile.minHeadingChange { return .heading }
        }
        if profile.minSpeedChange > 0, let speed, let now = location.speed ?? velocity?.speed,
            abs(now - speed) >= profile.minSpeedChange
        {
            return .speed
        }
        return nil
    }

    /// Degrees, where the vehicle is fast enough to have one.
    private static func course(_ location: Location, _ velocity: Velocity?) -> Double? {
        guard let speed = location.speed ?? velocity?.speed, speed >= ReportingPolicy.Profile.headingSpeed else {
            return nil
        }
        return location.course ?? velocity?.course
    }
}
