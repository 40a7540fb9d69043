internal import Positioning
internal import XMLText

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A line on the map with places to stop at, from a GPX or a GeoJSON file.
struct RouteFile: Equatable, Sendable {
    struct Point: Equatable, Sendable {
        var coordinate: Coordinate
        var altitude: Double?
    }

    /// Bytes of a file at most: a route is held in memory.
    private static let longest = 64 << 20
    /// Metres within which a place is at the road, and within which two ends are one.
    private static let near = 50.0
    /// Metres that points must be apart to be two.
    private static let apart = 1.0

    var line: [Point] = []
    var stops: [Coordinate] = []

    /// Throws where the file is missing, is neither GPX nor GeoJSON, or holds no line.
    static func read(_ file: String) throws(ReplayError) -> RouteFile {
        let bytes = try contents(file)
        var root = XMLRootFinder()
        root.read(bytes.span)
        var route = RouteFile()
        if let start = root.gpxStart {
            try route.readGPX(Array(bytes[start...]), file)
        } else {
            guard let found = GeoJSON.read(bytes.span) else { throw .unknownRoute(file: file) }
            route = found
        }
        route.clean()
        guard route.line.count > 1 else { throw .noPositions(file: file) }
        return route
    }

    private static func contents(_ file: String) throws(ReplayError) -> [UInt8] {
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .cannotRead(file: file, errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .notAFile(file: file)
        }
        let log = LogFile(path: file, descriptor: descriptor)
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = try log.read(into: &chunk)
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= longest else { throw .cannotRead(file: file, errno: EFBIG) }
        }
    }

    /// The first of track, route and waypoints that has two points; where that is not the waypoints, they are stops.
    private mutating func readGPX(_ bytes: [UInt8], _ file: String) throws(ReplayError) {
        for list in GPXParser.List.allCases {
            let points = try Self.points(list, bytes, file)
            if list == .waypoints, line.count > 1 {
                stops = points.map(\.coordinate)
            } else if line.count < 2 {
                line = points
            }
        }
    }

    private static func points(
        _ list: GPXParser.List, _ bytes: [UInt8], _ file: String
    ) throws(ReplayError) -> [Point] {
        var source = GPXSource(list, uere: 1)
        var (records, next) = ([LogRecord](), 0)
        do throws(XMLError) {
            while next < bytes.count {
                let end = min(bytes.count, next + 65_536)
                try source.read(bytes.span.extracting(next..<end), into: &records)
                next = end
            }
            try source.read(bytes.span.extracting(next..<next), into: &records)
        } catch {
            // Of a file that was cut off, what is there is a road too.
            if error.reason != .truncated {
                throw .damaged(file: file, line: error.line, reason: ReplayError.Damage(error.reason))
            }
        }
        return records.compactMap { record in
            guard case .fix(let location) = record.event else { return nil }
            return Point(coordinate: location.coordinate, altitude: location.altitude)
        }
    }

    /// Takes out what is no place, and places that are where the one before is.
    private mutating func clean() {
        var kept: [Point] = []
        for point in line where point.coordinate.isCorrect && abs(point.coordinate.latitude) < 89.9 {
            if let last = kept.last, Geodesy.distance(last.coordinate, point.coordinate) < Self.apart { continue }
            kept.append(point)
        }
        line = kept
        stops.removeAll { !$0.isCorrect }
    }

    /// The road: round and round where it comes back to its beginning, else there and back again.
    func route(speed: Double, dwell: Double) -> SimulatedRoute {
        var points = line.map { point in
            SimulatedRoute.Waypoint(coordinate: point.coordinate, limit: speed, altitude: point.altitude)
        }
        for stop in stops {
            let nearest = points.indices.min {
                Geodesy.distance(points[$0].coordinate, stop) < Geodesy.distance(points[$1].coordinate, stop)
            }
            guard let nearest, Geodesy.distance(points[nearest].coordinate, stop) <= Self.near else { continue }
            points[nearest].dwell = dwell
        }
        let (first, last) = (points[0].coordinate, points[points.count - 1].coordinate)
        if points.count > 3, Geodesy.distance(first, last) <= Self.near {
            if Geodesy.distance(first, last) < Self.apart { points.removeLast() }
        } else {
            points[0].dwell = dwell
            points[points.count - 1].dwell = dwell
            points += points[1..<(points.count - 1)].reversed()
        }
        return SimulatedRoute(points)
    }
}
