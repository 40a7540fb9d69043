internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A closed round of road with speed limits and stops.
struct SimulatedRoute: Equatable, Sendable {
    /// A corner of the road as drawn; the vehicle rounds it.
    struct Waypoint: Equatable, Sendable {
        var coordinate: Coordinate
        /// Metres per second, up to the next waypoint.
        var limit: Double
        /// Metres above mean sea level.
        var altitude: Double?
        /// Seconds for which the vehicle stands here; 0 passes.
        var dwell: Double = 0
    }

    /// A point of the rounded road, with what may be driven there.
    struct Vertex: Equatable, Sendable {
        var coordinate: Coordinate
        var altitude: Double?
        /// Metres per second at most at this point: curvature, limits, and the braking that the road ahead asks for.
        var speed: Double
        /// Metres per second at most from here to the next vertex.
        var limit: Double
        var dwell: Double = 0
        /// Metres to the next vertex, and its direction in degrees.
        var length: Double = 0
        var course: Double = 0
    }

    static let braking = 1.8
    static let sideways = 2.0
    /// Where a corner begins to be rounded before it, metres.
    private static let rounding = 12.0
    /// Smaller turns, in radians, need no curve.
    private static let straight = 0.05

    let origin: Coordinate
    private(set) var vertices: [Vertex]

    /// - Parameter waypoints: at least two, each apart from the next one, the last from the first.
    init(_ waypoints: [Waypoint]) {
        precondition(waypoints.count > 1, "a road leads from one place to another")
        origin = waypoints[0].coordinate
        vertices = Self.rounded(waypoints)
        measure()
        brakeInTime()
    }

    /// Metres of one round.
    var length: Double { vertices.reduce(0) { $0 + $1.length } }

    func next(after index: Int) -> Int { index + 1 < vertices.count ? index + 1 : 0 }

    /// The place a share of the way from a vertex to the next one.
    func coordinate(behind index: Int, share: Double) -> Coordinate {
        let (a, b) = (vertices[index].coordinate, vertices[next(after: index)].coordinate)
        return Coordinate(
            latitude: a.latitude + (b.latitude - a.latitude) * share,
            longitude: Self.normalized(a.longitude + Self.normalized(b.longitude - a.longitude) * share))
    }

    // MARK: The plane around a place

    private static let metresPerDegree = Geodesy.earthRadius * .pi / 180

    /// Metres east and north from one place to another near it.
    static func offset(from a: Coordinate, to b: Coordinate) -> (east: Double, north: Double) {
        let scale = max(1e-9, cos((a.latitude + b.latitude) / 2 * .pi / 180))
        return (
            normalized(b.longitude - a.longitude) * metresPerDegree * scale,
            (b.latitude - a.latitude) * metresPerDegree
        )
    }

    /// The place so many metres east and north of another.
    static func place(_ origin: Coordinate, east: Double, north: Double) -> Coordinate {
        let latitude = max(-90, min(90, origin.latitude + north / metresPerDegree))
        let scale = max(1e-9, cos((origin.latitude + latitude) / 2 * .pi / 180))
        return Coordinate(
            latitude: latitude, longitude: normalized(origin.longitude + east / (metresPerDegree * scale)))
    }

    /// In [-180, 180].
    private static func normalized(_ degrees: Double) -> Double {
        degrees >= -180 && degrees <= 180 ? degrees : remainder(degrees, 360)
    }

    // MARK: Making the road

    /// Corners become curves that begin 12 m before and end 12 m after them.
    private static func rounded(_ points: [Waypoint]) -> [Vertex] {
        var vertices: [Vertex] = []
        for (index, point) in points.enumerated() {
            let before = points[(index + points.count - 1) % points.count]
            let after = points[(index + 1) % points.count]
            let back = offset(from: point.coordinate, to: before.coordinate)
            let ahead = offset(from: point.coordinate, to: after.coordinate)
            let turn = turn(back, ahead)
            let limit = min(point.limit, before.limit)
            guard point.dwell == 0, turn > straight else {
                vertices.append(
                    Vertex(
                        coordinate: point.coordinate, altitude: point.altitude, speed: point.dwell > 0 ? 0 : limit,
                        limit: point.limit, dwell: point.dwell))
                continue
            }
            // The curve leaves half of a short leg to the corner at its other end.
            let (entry, exit) = (shortened(back), shortened(ahead))
            let reach = min(hypot(entry.east, entry.north), hypot(exit.east, exit.north))
            let radius = reach / tan(turn / 2)
            let slow = min(limit, max(0.5, (sideways * radius).squareRoot()))
            for step in 0...6 {
                let t = Double(step) / 6
                let (a, c) = ((1 - t) * (1 - t), t * t)
                vertices.append(
                    Vertex(
                        coordinate: place(
                            point.coordinate, east: a * entry.east + c * exit.east,
                            north: a * entry.north + c * exit.north),
                        altitude: point.altitude, speed: slow, limit: step == 6 ? point.limit : slow))
            }
        }
        return vertices
    }

    private static func shortened(_ leg: (east: Double, north: Double)) -> (east: Double, north: Double) {
        let length = hypot(leg.east, leg.north)
        let share = length > 0 ? min(0.4, rounding / length) : 0
        return (leg.east * share, leg.north * share)
    }

    /// How far the road turns where it came from `back` and goes to `ahead`, radians.
    private static func turn(_ back: (east: Double, north: Double), _ ahead: (east: Double, north: Double)) -> Double {
        let (x, y) = (-back.east, -back.north)
        return abs(atan2(x * ahead.north - y * ahead.east, x * ahead.east + y * ahead.north))
    }

    private mutating func measure() {
        for index in vertices.indices {
            let (x, y) = Self.offset(
                from: vertices[index].coordinate, to: vertices[next(after: index)].coordinate)
            vertices[index].length = hypot(x, y)
            vertices[index].course = Geodesy.normalizedCourse(atan2(x, y) * 180 / .pi)
        }
    }

    /// Twice around, backwards: no vertex may be passed faster than the next one allows.
    private mutating func brakeInTime() {
        for index in (0..<(2 * vertices.count)).reversed() {
            let here = index % vertices.count
            let next = next(after: here)
            let reachable = vertices[next].speed * vertices[next].speed + 2 * Self.braking * vertices[here].length
            vertices[here].speed = min(vertices[here].speed, reachable.squareRoot())
        }
    }
}
