/// A position on the WGS84 ellipsoid in degrees. Never wrapped and never clamped: what a source said is kept, and
/// ``isCorrect`` tells whether it can be a place (SEMANTICS, Types).
public struct Coordinate: Hashable, Sendable {
    /// Degrees north; correct within [-90, 90].
    public var latitude: Double
    /// Degrees east; correct within [-180, 180].
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether both parts are in range, bounds included. NaN and infinities are not.
    public var isCorrect: Bool {
        latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
    }
}
