#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Distances and movements on the sphere that agent and receiver share (WIRE.md, `bound`).
public enum Geodesy {
    /// Mean Earth radius in metres (IUGG R1).
    public static let earthRadius = 6_371_008.8

    /// Great-circle distance in metres (haversine; exact to the sphere also for millimetres); NaN when a part of
    /// a coordinate is not a number.
    public static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
        let toRadians = Double.pi / 180
        let halfLatitude = sin((b.latitude - a.latitude) * toRadians / 2)
        let halfLongitude = sin((b.longitude - a.longitude) * toRadians / 2)
        let h =
            halfLatitude * halfLatitude
            + cos(a.latitude * toRadians) * cos(b.latitude * toRadians) * halfLongitude * halfLongitude
        return 2 * earthRadius * asin(h > 1 ? 1 : h.squareRoot())
    }

    /// The initial course in degrees, [0, 360), from one place to another along the great circle; 0 for equal places.
    public static func initialCourse(from a: Coordinate, to b: Coordinate) -> Double {
        let toRadians = Double.pi / 180
        let (latitudeA, latitudeB) = (a.latitude * toRadians, b.latitude * toRadians)
        let difference = (b.longitude - a.longitude) * toRadians
        let y = sin(difference) * cos(latitudeB)
        let x = cos(latitudeA) * sin(latitudeB) - sin(latitudeA) * cos(latitudeB) * cos(difference)
        return normalizedCourse(atan2(y, x) / toRadians)
    }

    /// The place reached from `start` after `distance` metres along the great circle that leaves at `course` degrees.
    public static func destination(from start: Coordinate, course: Double, distance: Double) -> Coordinate {
        let toRadians = Double.pi / 180
        let angle = distance / earthRadius
        let bearing = course * toRadians
        let latitude = start.latitude * toRadians
        let sine = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)
        let reached = asin(sine > 1 ? 1 : sine < -1 ? -1 : sine)
        let shift = atan2(sin(bearing) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sine)
        var longitude = start.longitude + shift / toRadians
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return Coordinate(latitude: reached / toRadians, longitude: longitude)
    }

    /// A finite angle brought into [0, 360): 360 is 0, and so is -0 (SEMANTICS rule 11).
    public static func normalizedCourse(_ degrees: Double) -> Double {
        let rest = fmod(degrees, 360)
        let course = rest < 0 ? rest + 360 : rest
        return course >= 360 || course == 0 ? 0 : course
    }
}
