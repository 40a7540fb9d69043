#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A place as unit vectors: where distances and movements cost no trigonometry, and are exact to nanometres.
public struct SpherePoint: Equatable, Sendable {
    /// From the Earth's centre to the place.
    public let up: SIMD3<Double>
    /// Along the surface.
    public let north: SIMD3<Double>
    public let east: SIMD3<Double>

    /// - Parameter coordinate: a correct one.
    public init(_ coordinate: Coordinate) {
        let (latitude, longitude) = (coordinate.latitude * (Double.pi / 180), coordinate.longitude * (Double.pi / 180))
        let (sineLatitude, cosineLatitude) = (sin(latitude), cos(latitude))
        let (sineLongitude, cosineLongitude) = (sin(longitude), cos(longitude))
        up = SIMD3(cosineLatitude * cosineLongitude, cosineLatitude * sineLongitude, sineLatitude)
        north = SIMD3(-sineLatitude * cosineLongitude, -sineLatitude * sineLongitude, cosineLatitude)
        east = SIMD3(-sineLongitude, cosineLongitude, 0)
    }

    /// Great-circle distance in metres.
    public func distance(to other: SpherePoint) -> Double { Self.arc((other.up - up).length) }

    /// Metres north and east from `other` to here, in the plane that touches the sphere here; meant for places within a
    /// few kilometres.
    public func offset(from other: SpherePoint) -> Velocity {
        let difference = (up - other.up) * Geodesy.earthRadius
        return Velocity(north: difference.dot(north), east: difference.dot(east))
    }

    /// The velocity as a vector in space, in metres per second.
    func vector(_ velocity: Velocity) -> SIMD3<Double> { north * velocity.north + east * velocity.east }

    /// Metres along the sphere between two points whose unit vectors are `chord` apart.
    static func arc(_ chord: Double) -> Double {
        // Below 64 km the series is exact to 0.1 nm.
        if chord < 0.01 { return Geodesy.earthRadius * (chord + chord * chord * chord * (1.0 / 24)) }
        return 2 * Geodesy.earthRadius * asin(min(1, chord / 2))
    }
}

extension SIMD3<Double> {
    func dot(_ other: SIMD3<Double>) -> Double { x * other.x + y * other.y + z * other.z }
    var length: Double { dot(self).squareRoot() }
}
