/// One position fix, as complete as its source made it. What a source does not say is `nil`, all the way to the wire
/// and back: unknown is not zero (SEMANTICS, Types).
public struct Location: Equatable, Sendable {
    public var coordinate: Coordinate
    /// Radius in metres that holds the true position with about 68 % probability.
    public var horizontalAccuracy: Double?
    /// True when ``horizontalAccuracy`` was assumed by configuration, not measured.
    public var isAccuracyAssumed = false
    /// Metres above ``altitudeReference``.
    public var altitude: Double?
    public var altitudeReference: AltitudeReference = .meanSeaLevel
    /// Metres of the geoid (mean sea level) above the WGS84 ellipsoid at this place: ellipsoid height is height above
    /// mean sea level plus this.
    public var geoidSeparation: Double?
    /// Metres, one standard deviation.
    public var verticalAccuracy: Double?
    /// Course over ground: degrees true, clockwise from north, in [0, 360).
    public var course: Double?
    /// Where the vehicle points, whichever way it moves: degrees true, clockwise from north, in [0, 360). Not the course,
    /// which a vehicle at rest, in reverse or in the wind does not share; not on the wire in version 1.
    public var heading: Double?
    /// Degrees, one standard deviation.
    public var courseAccuracy: Double?
    /// Speed over ground in metres per second, never negative.
    public var speed: Double?
    /// Metres per second, one standard deviation.
    public var speedAccuracy: Double?
    /// When the position was true; `nil` when neither the source nor a trusted clock could date it.
    public var timestamp: UTCInstant?
    public var fix: FixType = .unknown
    /// Which source made it, for people and logs (`gpsd`, `nmea`, `simulator`, …).
    public var source: String?
    public var isSimulated = false
    /// True when the position was predicted from earlier fixes instead of measured.
    public var isExtrapolated = false
    /// Number of satellites used in the solution.
    public var satellitesUsed: Int?
    /// Horizontal dilution of precision, without unit.
    public var hdop: Double?
    /// Values of a user's own that came with the position.
    public var passedValues: PassedValues?
    /// Why the position is unreliable; empty when it is reliable.
    public var unreliable: UnreliableReasons = []

    public init(coordinate: Coordinate, horizontalAccuracy: Double? = nil, timestamp: UTCInstant? = nil) {
        self.coordinate = coordinate
        self.horizontalAccuracy = horizontalAccuracy
        self.timestamp = timestamp
    }

    public var isReliable: Bool { unreliable.isEmpty }

    /// The altitude in metres above `reference`; `nil` where it is unknown, or where ``geoidSeparation`` would be needed and
    /// is not known.
    public func altitude(above reference: AltitudeReference) -> Double? {
        guard let altitude, reference != altitudeReference else { return altitude }
        guard let geoidSeparation else { return nil }
        return reference == .wgs84Ellipsoid ? altitude + geoidSeparation : altitude - geoidSeparation
    }
}
