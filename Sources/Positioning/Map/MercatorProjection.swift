#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The Mercator projection of a sphere, as maps use it (SEMANTICS rule 16).
///
/// Latitudes are taken as if they were on the sphere, which is what EPSG:3857 does with those of WGS84.
public struct MercatorProjection: Hashable, Sendable {
    /// The sphere's radius in metres.
    public let radius: Double

    /// EPSG:3857, the maps of the web.
    public static let web = MercatorProjection(radius: 6_378_137)
    /// The maps of S3's SDK; at 49 degrees north about 7 km south of ``web``.
    public static let navigation = MercatorProjection(radius: 6_371_000)

    /// - Parameter radius: in metres, above zero.
    public init(radius: Double) { self.radius = radius }

    /// The circumference of the sphere in metres: what lies this far east is the same place.
    public var worldWidth: Double { 2 * Double.pi * radius }

    /// Where a place is on the map; `nil` for the poles, which are infinitely far away, and for what is no place.
    ///
    /// Longitudes 180 and -180 are the same meridian at both ends of the map. Square web maps end at 85.0511 degrees.
    public func point(_ place: Coordinate) -> MercatorPoint? {
        guard place.isCorrect, abs(place.latitude) < 90 else { return nil }
        // Of the formulas for the northing, this one keeps its digits near the poles.
        return MercatorPoint(
            x: place.longitude / 180 * worldWidth / 2, y: radius * asinh(tan(place.latitude * .pi / 180)))
    }

    /// The place of a point of the map; beyond the antimeridian the world begins again, with longitudes from -180 (the
    /// eastern end of the map stays 180). `nil` for a point that is not finite.
    public func coordinate(_ point: MercatorPoint) -> Coordinate? {
        guard point.x.isFinite, point.y.isFinite else { return nil }
        let longitude = point.x / (worldWidth / 2) * 180
        let latitude = atan(sinh(point.y / radius)) * 180 / .pi
        return Coordinate(
            latitude: latitude, longitude: abs(longitude) <= 180 ? longitude : remainder(longitude, 360))
    }
}

/// A point of a Mercator map in metres on its sphere.
public struct MercatorPoint: Hashable, Sendable {
    /// East of the prime meridian.
    public var x: Double
    /// North of the equator.
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
