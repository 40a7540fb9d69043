internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A closed round of road with speed limits and stops, in metres east and north of an origin.
struct SimulatedRoute: Equatable, Sendable {
    /// A corner of the road as drawn; the vehicle rounds it.
    struct Waypoint: Equatable, Sendable {
        var east: Double
        var north: Double
        /// Metres per second, up to the next waypoint.
        var limit: Double
        /// Metres above mean sea level.
        var altitude: Double = 40
        /// Seconds for which the vehicle stands here; 0 passes.
        var dwell: Double = 0
    }

    /// A point of the rounded road, with what may be driven there.
    struct Vertex: Equatable, Sendable {
        var east: Double
        var north: Double
        var altitude: Double
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

    let origin: Coordinate
    private(set) var vertices: [Vertex]

    init(origin: Coordinate, waypoints: [Waypoint]) {
        self.origin = origin
        vertices = Self.rounded(waypoints)
        measure()
        brakeInTime()
    }

    /// Metres of one round.
    var length: Double { vertices.reduce(0) { $0 + $1.length } }

    func coordinate(east: Double, north: Double) -> Coordinate {
        let metresPerDegree = Geodesy.earthRadius * .pi / 180
        return Coordinate(
            latitude: origin.latitude + north / metresPerDegree,
            longitude: origin.longitude + east / (metresPerDegree * cos(origin.latitude * .pi / 180)))
    }

    /// Corners become curves that begin 12 m before and end 12 m after them.
    private static func rounded(_ points: [Waypoint]) -> [Vertex] {
        var vertices: [Vertex] = []
        for (index, point) in points.enumerated() {
            let before = points[(index + points.count - 1) % points.count]
            let after = points[(index + 1) % points.count]
            guard point.dwell == 0 else {
                vertices.append(
                    Vertex(
                        east: point.east, north: point.north, altitude: point.altitude, speed: 0, limit: point.limit,
                        dwell: point.dwell))
                continue
            }
            let (entry, exit) = (toward(before, from: point, 12), toward(after, from: point, 12))
            let turn = angle(before, point, after)
            // A circle that leaves both legs 12 m before the corner.
            let radius = turn < 0.01 ? 10_000 : 12 / tan(turn / 2)
            let slow = min(point.limit, before.limit, (sideways * radius).squareRoot())
            for step in 0...6 {
                let t = Double(step) / 6
                let (a, b, c) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
                vertices.append(
                    Vertex(
                        east: a * entry.east + b * point.east + c * exit.east,
                        north: a * entry.north + b * point.north + c * exit.north, altitude: point.altitude,
                        speed: slow, limit: step == 6 ? point.limit : slow))
            }
        }
        return vertices
    }

    private static func toward(_ target: Waypoint, from point: Waypoint, _ distance: Double) -> (
        east: Double, north: Double
    ) {
        let (x, y) = (target.east - point.east, target.north - point.north)
        let share = min(0.4, distance / hypot(x, y))
        return (point.east + x * share, point.north + y * share)
    }

    /// How far the road turns at `point`, radians.
    private static func angle(_ before: Waypoint, _ point: Waypoint, _ after: Waypoint) -> Double {
        let (ax, ay) = (point.east - before.east, point.north - before.north)
        let (bx, by) = (after.east - point.east, after.north - point.north)
        return abs(atan2(ax * by - ay * bx, ax * bx + ay * by))
    }

    private mutating func measure() {
        for index in vertices.indices {
            let next = vertices[(index + 1) % vertices.count]
            let (x, y) = (next.east - vertices[index].east, next.north - vertices[index].north)
            vertices[index].length = hypot(x, y)
            vertices[index].course = Geodesy.normalizedCourse(atan2(x, y) * 180 / .pi)
        }
    }

    /// Twice around, backwards: no vertex may be passed faster than the next one allows.
    private mutating func brakeInTime() {
        for index in (0..<(2 * vertices.count)).reversed() {
            let (here, next) = (index % vertices.count, (index + 1) % vertices.count)
            let reachable = vertices[next].speed * vertices[next].speed + 2 * Self.braking * vertices[here].length
            vertices[here].speed = min(vertices[here].speed, reachable.squareRoot())
        }
    }

    /// The embedded drive: a delivery round of 6 km through a made-up small town and along its bypass.
    static let town = SimulatedRoute(
        origin: Coordinate(latitude: 52.4312, longitude: 13.5371),
        waypoints: [
            Waypoint(east: 0, north: 0, limit: 8.3, altitude: 36, dwell: 20),
            Waypoint(east: 210, north: 35, limit: 8.3, altitude: 36),
            Waypoint(east: 265, north: 180, limit: 13.9, altitude: 37),
            Waypoint(east: 300, north: 420, limit: 13.9, altitude: 39, dwell: 12),
            Waypoint(east: 330, north: 640, limit: 13.9, altitude: 41),
            Waypoint(east: 560, north: 720, limit: 13.9, altitude: 42),
            Waypoint(east: 820, north: 705, limit: 19.4, altitude: 43),
            Waypoint(east: 1250, north: 760, limit: 22.2, altitude: 45),
            Waypoint(east: 1690, north: 640, limit: 22.2, altitude: 48),
            Waypoint(east: 1930, north: 330, limit: 19.4, altitude: 46),
            Waypoint(east: 1905, north: 40, limit: 13.9, altitude: 43),
            Waypoint(east: 1740, north: -60, limit: 13.9, altitude: 42, dwell: 35),
            Waypoint(east: 1480, north: -150, limit: 13.9, altitude: 41),
            Waypoint(east: 1450, north: -420, limit: 13.9, altitude: 40),
            Waypoint(east: 1130, north: -455, limit: 13.9, altitude: 39),
            Waypoint(east: 900, north: -400, limit: 13.9, altitude: 38, dwell: 8),
            Waypoint(east: 610, north: -330, limit: 13.9, altitude: 37),
            Waypoint(east: 560, north: -120, limit: 8.3, altitude: 37),
            Waypoint(east: 330, north: -140, limit: 8.3, altitude: 36),
            Waypoint(east: 150, north: -210, limit: 8.3, altitude: 35),
            Waypoint(east: -40, north: -120, limit: 8.3, altitude: 35),
        ])
}
