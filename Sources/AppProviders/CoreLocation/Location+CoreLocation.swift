#if canImport(CoreLocation)
public import CoreLocation
public import Positioning

extension Location {
    /// The platform's position by the strict conversion (SEMANTICS rule 11); see ``Positioning/Location/init(strictly:)``.
    public init(_ location: CLLocation) {
        self.init(strictly: PlatformFix(location))
        source = "corelocation"
    }
}

extension PlatformFix {
    /// The platform's position as it is, sentinels included.
    public init(_ location: CLLocation) {
        self.init(
            coordinate: Coordinate(
                latitude: location.coordinate.latitude, longitude: location.coordinate.longitude),
            altitude: location.altitude, ellipsoidalAltitude: location.ellipsoidalAltitude,
            horizontalAccuracy: location.horizontalAccuracy, verticalAccuracy: location.verticalAccuracy,
            course: location.course, courseAccuracy: location.courseAccuracy, speed: location.speed,
            speedAccuracy: location.speedAccuracy,
            timestamp: UTCInstant(
                milliseconds: Int64(exactly: (location.timestamp.timeIntervalSince1970 * 1000).rounded()) ?? 0),
            isSimulatedBySoftware: location.sourceInformation?.isSimulatedBySoftware ?? false)
    }
}
#endif
