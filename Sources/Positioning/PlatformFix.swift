/// A fix with the fields and sentinels of CoreLocation's `CLLocation`, so that its conversion is testable everywhere.
public struct PlatformFix: Equatable, Sendable {
    public var coordinate: Coordinate
    /// Metres above mean sea level.
    public var altitude: Double
    /// Metres above the WGS84 ellipsoid.
    public var ellipsoidalAltitude: Double
    /// Metres; negative: the coordinate is invalid.
    public var horizontalAccuracy: Double
    /// Metres; zero or negative: the altitude is invalid.
    public var verticalAccuracy: Double
    /// Degrees true; negative: invalid.
    public var course: Double
    /// Degrees; negative: the course is invalid.
    public var courseAccuracy: Double
    /// Metres per second; negative: invalid.
    public var speed: Double
    /// Metres per second; negative: the speed is invalid.
    public var speedAccuracy: Double
    public var timestamp: UTCInstant
    public var isSimulatedBySoftware: Bool

    public init(
        coordinate: Coordinate, altitude: Double = 0, ellipsoidalAltitude: Double = 0, horizontalAccuracy: Double = -1,
        verticalAccuracy: Double = -1, course: Double = -1, courseAccuracy: Double = -1, speed: Double = -1,
        speedAccuracy: Double = -1, timestamp: UTCInstant, isSimulatedBySoftware: Bool = false
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.ellipsoidalAltitude = ellipsoidalAltitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
        self.isSimulatedBySoftware = isSimulatedBySoftware
    }
}

extension Location {
    /// The strict conversion, the default (SEMANTICS rule 11): sentinels and non-finite numbers become `nil`, a vertical
    /// accuracy at or below zero also voids the altitude, a negative course or speed accuracy voids course or speed, and
    /// 360 degrees becomes 0.
    public init(strictly fix: PlatformFix) {
        self.init(
            coordinate: fix.coordinate, horizontalAccuracy: known(fix.horizontalAccuracy), timestamp: fix.timestamp)
        if let accuracy = known(fix.verticalAccuracy), accuracy > 0, fix.altitude.isFinite {
            altitude = fix.altitude
            verticalAccuracy = accuracy
        }
        if let accuracy = known(fix.courseAccuracy) {
            course = known(fix.course).map(Geodesy.normalizedCourse)
            courseAccuracy = accuracy
        }
        if let accuracy = known(fix.speedAccuracy) {
            speed = known(fix.speed)
            speedAccuracy = accuracy
        }
        isSimulated = fix.isSimulatedBySoftware
    }

    /// `convertLocation` of seed document S2 to the letter: course, speed and both accuracies are `nil` below zero and
    /// kept otherwise, the altitude is always kept, and nothing else is looked at.
    public init(exactly fix: PlatformFix) {
        self.init(
            coordinate: fix.coordinate, horizontalAccuracy: fix.horizontalAccuracy < 0 ? nil : fix.horizontalAccuracy,
            timestamp: fix.timestamp)
        altitude = fix.altitude
        course = fix.course < 0 ? nil : fix.course
        speed = fix.speed < 0 ? nil : fix.speed
        verticalAccuracy = fix.verticalAccuracy < 0 ? nil : fix.verticalAccuracy
    }
}

private func known(_ value: Double) -> Double? { value.isFinite && value >= 0 ? value : nil }
