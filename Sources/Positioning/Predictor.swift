#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Where a vehicle is after its last report, as far as the report tells: the prediction that agent and receivers share
/// (WIRE.md, `bound`).
///
/// The reported place, moved along a great circle of the sphere of ``Geodesy/earthRadius`` for min(elapsed fix time, `due`) at
/// the prediction velocity: `mv` where present, else `speed` and `course`, else standing. A report without `due` or without
/// a time promises no movement.
public struct Predictor: Equatable, Sendable {
    /// Where the report was made.
    public let origin: Coordinate
    /// When the position was true.
    public let time: UTCInstant?
    /// The prediction velocity.
    public let velocity: Velocity
    /// Seconds after ``time`` until which the prediction moves.
    public let horizon: Double
    /// Metres within which the measured position stays, where the report promises it.
    public let bound: Double?

    private let point: SpherePoint
    private let speed: Double
    /// The unit vector in which the vehicle leaves ``origin``; zero while standing.
    private let direction: SIMD3<Double>

    /// `nil` where the report's coordinate is no place.
    public init?(_ draft: ReportDraft) {
        let location = draft.location
        guard location.coordinate.isCorrect else { return nil }
        origin = location.coordinate
        time = location.timestamp
        bound = draft.bound
        velocity = draft.effectiveVelocity
        horizon = location.timestamp == nil ? 0 : max(0, draft.due ?? 0)
        point = SpherePoint(origin)
        speed = velocity.speed
        direction = speed > 0 ? point.vector(velocity) / speed : SIMD3()
    }

    /// The predicted place at a fix time; ``origin`` before ``time``.
    public func position(at instant: UTCInstant) -> Coordinate {
        let elapsed = elapsed(at: instant)
        guard speed > 0, elapsed > 0 else { return origin }
        let up = state(after: elapsed).up
        let toDegrees = 180 / Double.pi
        return Coordinate(
            latitude: atan2(up.z, (up.x * up.x + up.y * up.y).squareRoot()) * toDegrees,
            longitude: atan2(up.y, up.x) * toDegrees)
    }

    /// Metres between a place and the predicted one.
    public func distance(to place: SpherePoint, at instant: UTCInstant) -> Double {
        SpherePoint.arc((place.up - state(after: elapsed(at: instant)).up).length)
    }

    /// How far the prediction is off.
    public struct Deviation: Equatable, Sendable {
        /// Metres now.
        public var distance: Double
        /// Metres after the look-ahead, if neither the vehicle nor the prediction changes its velocity until then.
        public var ahead: Double
    }

    /// Compares the prediction with where the vehicle is and how it moves.
    ///
    /// - Parameters:
    ///   - place: where the vehicle is.
    ///   - velocity: how it moves there.
    ///   - instant: when.
    ///   - lookAhead: seconds.
    public func deviation(
        of place: SpherePoint, moving velocity: Velocity, at instant: UTCInstant, lookAhead: Double
    ) -> Deviation {
        let predicted = state(after: elapsed(at: instant))
        let difference = place.up - predicted.up
        let drift = place.vector(velocity) - predicted.velocity
        return Deviation(
            distance: SpherePoint.arc(difference.length),
            ahead: (difference * Geodesy.earthRadius + drift * lookAhead).length)
    }

    private func elapsed(at instant: UTCInstant) -> Double {
        guard let time else { return 0 }
        let (difference, overflow) = instant.milliseconds.subtractingReportingOverflow(time.milliseconds)
        return overflow ? (instant < time ? 0 : horizon) : Double(difference) / 1000
    }

    /// The predicted place as a unit vector, and the velocity there in metres per second.
    private func state(after elapsed: Double) -> (up: SIMD3<Double>, velocity: SIMD3<Double>) {
        guard speed > 0, elapsed > 0 else { return (point.up, direction * speed) }
        let angle = speed * min(elapsed, horizon) / Geodesy.earthRadius
        let (sine, cosine) = (sin(angle), cos(angle))
        let up = point.up * cosine + direction * sine
        guard elapsed < horizon else { return (up, SIMD3()) }
        return (up, (direction * cosine - point.up * sine) * speed)
    }
}

extension ReportDraft {
    /// The velocity that receivers move the report at.
    public var effectiveVelocity: Velocity {
        if let predictionVelocity { return predictionVelocity }
        guard let speed = location.speed, let course = location.course, speed > 0 else { return .zero }
        return Velocity(speed: speed, course: course)
    }
}
