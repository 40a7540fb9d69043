internal import Positioning
internal import WireText

/// Reads OwnTracks' JSON (WIRE.md, Other dialects). Numbers are numbers: a coordinate or a time in quotation marks is
/// refused, never half-read.
///
/// - `tst` is the fix's time in whole seconds; a number of milliseconds is out of range, not guessed at.
/// - `acc` and `vac` are 68 % radii in metres, `alt` is above sea level, `vel` is km/h.
/// - Where a client does not know, it writes -1 or 0, so 0 says nothing: an accuracy, speed or course of 0 is unknown.
public enum OwnTracksJSON {
    /// Reads one message of at most 64 KiB.
    public static func decode(_ payload: [UInt8]) throws(WireError) -> OwnTracksMessage { try decode(payload.span) }

    /// Reads one message of at most 64 KiB.
    public static func decode(_ payload: Span<UInt8>) throws(WireError) -> OwnTracksMessage {
        try decodeMessage(.ownTracks, payload, limit: 1 << 16) {
            (json: inout JSONReader, context: inout DecodingContext) throws(JSONError) in
            switch try type(&json) {
            case "location": break
            case "lwt": return .lastWill
            case "encrypted": return .encrypted
            case nil: throw context.missing("_type", json)
            default: return .other
            }
            // The type may stand anywhere: the members are read once it is known.
            return try JSONReader.read(payload) { (again: inout JSONReader) throws(JSONError) in
                .location(try location(&again, &context))
            }
        }
    }

    private static func type(_ json: inout JSONReader) throws(JSONError) -> JSONWord? {
        var type: JSONWord?
        try json.beginObject()
        while let key = try json.nextKey() {
            if key == "_type" { type = try json.readWord() }
        }
        return type
    }

    private static func location(
        _ json: inout JSONReader, _ context: inout DecodingContext
    ) throws(JSONError) -> Location {
        var (latitude, longitude, time) = (Double?.none, Double?.none, UTCInstant?.none)
        var location = Location(coordinate: Coordinate(latitude: .nan, longitude: .nan))
        try json.beginObject()
        while let key = try json.nextKey() {
            context.key = key
            if try json.readNull() { continue }
            switch key {
            case "lat": latitude = try json.readDouble()
            case "lon": longitude = try json.readDouble()
            case "tst": time = try readTime(&json, &context)
            case "acc": location.horizontalAccuracy = positive(try json.readDouble())
            case "alt": location.altitude = try json.readDouble()
            case "vac": location.verticalAccuracy = positive(try json.readDouble())
            case "vel": location.speed = positive(try json.readDouble()).map { $0 / 3.6 }
            case "cog": location.course = course(try json.readDouble())
            default: break
            }
        }
        context.key = nil
        guard let latitude, let longitude, let time else {
            throw context.missing(latitude == nil ? "lat" : longitude == nil ? "lon" : "tst", json)
        }
        location.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        location.timestamp = time
        location.source = "owntracks"
        return location
    }

    /// Seconds since 1970, up to the year 2286: ten digits.
    private static func readTime(
        _ json: inout JSONReader, _ context: inout DecodingContext
    ) throws(JSONError) -> UTCInstant {
        let seconds = try json.readInteger()
        guard (0..<10_000_000_000).contains(seconds) else { throw context.impossible(json) }
        return UTCInstant(milliseconds: seconds * 1000)
    }

    private static func positive(_ value: Double) -> Double? { value > 0 ? value : nil }

    private static func course(_ value: Double) -> Double? {
        value > 0 && value <= 360 ? (value == 360 ? 0 : value) : nil
    }
}
