internal import Positioning
internal import WireText

/// The lines and points of GeoJSON (RFC 7946): pure. A geometry, a Feature, a FeatureCollection or a
/// GeometryCollection; several lines are one behind the other; polygons are no roads.
enum GeoJSON {
    /// `nil` where it is no GeoJSON.
    static func read(_ bytes: Span<UInt8>) -> RouteFile? {
        let limits = JSONReader.Limits(size: bytes.count, depth: 24)
        let start = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
        return try? JSONReader.read(bytes.extracting(start..<bytes.count), limits: limits) {
            (json: inout JSONReader) throws(JSONError) -> RouteFile? in
            var route = RouteFile()
            let isKnown = try readObject(&json, into: &route)
            try json.finish()
            return isKnown ? route : nil
        }
    }

    /// The positions of one geometry, line after line.
    private struct Shape {
        var lines: [[RouteFile.Point]] = [[]]
        /// 1 for a position, 2 for a line of them, and so on.
        var level = 0
    }

    /// Whether it has a type that GeoJSON knows.
    private static func readObject(
        _ json: inout JSONReader, into route: inout RouteFile
    ) throws(JSONError) -> Bool {
        try json.beginObject()
        var (type, shape) = (JSONWord?.none, Shape())
        while let key = try json.nextKey() {
            switch key {
            case "type": if try json.kind() == .string { type = try json.readWord() }
            case "coordinates": if try json.kind() == .array { shape.level = try readArray(&json, &shape) }
            case "geometry": if try json.kind() == .object { _ = try readObject(&json, into: &route) }
            case "features", "geometries": try readObjects(&json, into: &route)
            default: break
            }
        }
        switch type {
        case "LineString", "MultiLineString":
            if shape.level == (type == "LineString" ? 2 : 3) { for line in shape.lines { route.line += line } }
        case "Point", "MultiPoint":
            if shape.level == (type == "Point" ? 1 : 2) {
                for line in shape.lines { route.stops += line.map(\.coordinate) }
            }
        case "Feature", "FeatureCollection", "GeometryCollection", "Polygon", "MultiPolygon": break
        default: return false
        }
        return true
    }

    private static func readObjects(_ json: inout JSONReader, into route: inout RouteFile) throws(JSONError) {
        guard try json.kind() == .array else { return }
        try json.beginArray()
        while try json.nextElement() {
            if try json.kind() == .object { _ = try readObject(&json, into: &route) }
        }
    }

    /// Reads nested arrays of numbers; returns how deep they are.
    private static func readArray(_ json: inout JSONReader, _ shape: inout Shape) throws(JSONError) -> Int {
        try json.beginArray()
        var (level, numbers) = (1, [Double]())
        while try json.nextElement() {
            switch try json.kind() {
            case .number:
                let number = try json.readDouble()
                if numbers.count < 3 { numbers.append(number) }
            case .array:
                let depth = try readArray(&json, &shape) + 1
                if depth > 2 { shape.lines.append([]) }
                level = max(level, depth)
            case .object, .string, .boolean, .null: break
            }
        }
        if level == 1, numbers.count >= 2 {
            let coordinate = Coordinate(latitude: numbers[1], longitude: numbers[0])
            let point = RouteFile.Point(coordinate: coordinate, altitude: numbers.count > 2 ? numbers[2] : nil)
            shape.lines[shape.lines.count - 1].append(point)
        }
        return level
    }
}
