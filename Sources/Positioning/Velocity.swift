#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A velocity over ground, in metres per second (WIRE.md, `mv`).
public struct Velocity: Hashable, Sendable {
    public var north: Double
    public var east: Double

    public init(north: Double, east: Double) {
        self.north = north
        self.east = east
    }

    /// From a speed in metres per second and a course in degrees true, clockwise.
    public init(speed: Double, course: Double) {
        let bearing = course * (Double.pi / 180)
        self.init(north: speed * cos(bearing), east: speed * sin(bearing))
    }

    /// Standing.
    public static let zero = Velocity(north: 0, east: 0)

    /// Metres per second.
    public var speed: Double { (north * north + east * east).squareRoot() }

    /// Degrees true in [0, 360); 0 while standing.
    public var course: Double { Geodesy.normalizedCourse(atan2(east, north) * (180 / Double.pi)) }
}
