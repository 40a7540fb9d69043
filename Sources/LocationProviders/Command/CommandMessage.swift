internal import Positioning
internal import WireText

/// One line that a program of `provider.command` printed.
enum CommandMessage: Equatable, Sendable {
    case fix(Location)
    /// The program's receiver has no fix.
    case noFix(UTCInstant?)
    /// What the program says went wrong.
    case error(String)
}

extension CommandMessage {
    /// Why a line is no message.
    enum Refusal: Error, Equatable, Sendable {
        case json(JSONError)
        /// A key of the schema has a value that it cannot have.
        case value
        /// Neither a position, nor `"fix":"none"`, nor an error.
        case nothing
    }

    /// Reads one JSON object with the keys of WIRE.md's report: `time`, `lat`, `lon`, `hacc`, `alt`, `altRef`, `vacc`,
    /// `speed`, `sacc`, `course`, `cacc`, `fix`, `sats`, `hdop`, `sim`, `ext`; or `error`. Unknown keys are passed over, null
    /// is absent, and what is negative as platforms say "unknown" is unknown (SEMANTICS rule 11). A wrong value refuses
    /// the line.
    ///
    /// - Parameters:
    ///   - utc: when the line came, for a fix that does not say when it was.
    ///   - uere: metres of accuracy (68 %) per unit of HDOP, where a line has that alone.
    static func read(_ line: Span<UInt8>, utc: UTCInstant?, uere: Double) throws(Refusal) -> CommandMessage {
        var members = Members()
        do throws(JSONError) {
            try JSONReader.read(line) { (json: inout JSONReader) throws(JSONError) in try members.read(&json) }
        } catch {
            throw error.code == .type || error.code == .range ? .value : .json(error)
        }
        return try members.message(utc, uere)
    }
}

private struct Members {
    var time: UTCInstant?
    var (latitude, longitude): (Double?, Double?)
    var (accuracy, hdop, altitude, verticalAccuracy): (Double?, Double?, Double?, Double?)
    var (speed, speedAccuracy, course, courseAccuracy): (Double?, Double?, Double?, Double?)
    var satellites: Int64?
    var reference = AltitudeReference.meanSeaLevel
    var fix = FixType.unknown
    var isSimulated = false
    var passedValues: PassedValues?
    var error: String?
    var isWrong = false

    mutating func read(_ json: inout JSONReader) throws(JSONError) {
        try json.beginObject()
        while let key = try json.nextKey() {
            if try json.readNull() { continue }
            switch key {
            case "time":
                time = try json.readTimestamp().map { UTCInstant(milliseconds: $0) }
                if time == nil { isWrong = true }
            case "lat": latitude = try json.readDouble()
            case "lon": longitude = try json.readDouble()
            case "hacc": accuracy = try json.readDouble()
            case "hdop": hdop = try json.readDouble()
            case "alt": altitude = try json.readDouble()
            case "vacc": verticalAccuracy = try json.readDouble()
            case "speed": speed = try json.readDouble()
            case "sacc": speedAccuracy = try json.readDouble()
            case "course": course = try json.readDouble()
            case "cacc": courseAccuracy = try json.readDouble()
            case "sats": satellites = try json.readInteger()
            case "sim": isSimulated = try json.readBool()
            case "ext": try readPassedValues(&json)
            case "error": error = try json.readString()
            case "altRef": setReference(try json.readWord())
            case "fix": setFix(try json.readWord())
            default: break
            }
        }
        try json.finish()
    }

    private mutating func readPassedValues(_ json: inout JSONReader) throws(JSONError) {
        let isObject = try json.kind() == .object
        let range = try json.skipValueForRange()
        passedValues = isObject ? PassedValues(json: json.copy(range)) : nil
        if passedValues == nil { isWrong = true }
    }

    private mutating func setReference(_ word: JSONWord) {
        switch word {
        case "msl": reference = .meanSeaLevel
        case "ellipsoid": reference = .wgs84Ellipsoid
        default: isWrong = true
        }
    }

    private mutating func setFix(_ word: JSONWord) {
        switch word {
        case "none": fix = .none
        case "dr": fix = .deadReckoning
        case "2d": fix = .twoD
        case "3d": fix = .threeD
        case "dgps": fix = .differential
        case "rtkFloat": fix = .rtkFloat
        case "rtkFixed": fix = .rtkFixed
        case "manual": fix = .manual
        default: isWrong = true
        }
    }

    func message(_ utc: UTCInstant?, _ uere: Double) throws(CommandMessage.Refusal) -> CommandMessage {
        guard !isWrong else { throw .value }
        if let error { return .error(error) }
        if fix == .none { return .noFix(time) }
        guard let latitude, let longitude else { throw latitude == nil && longitude == nil ? .nothing : .value }
        var location = Location(
            coordinate: Coordinate(latitude: latitude, longitude: longitude), timestamp: time ?? utc)
        location.hdop = hdop.flatMap { $0 > 0 ? $0 : nil }
        location.horizontalAccuracy = accuracy.map { $0 < 0 ? nil : $0 } ?? location.hdop.map { $0 * uere }
        if verticalAccuracy.map({ $0 > 0 }) ?? true {
            location.altitude = altitude
            location.altitudeReference = reference
            location.verticalAccuracy = altitude == nil ? nil : verticalAccuracy
        }
        if speedAccuracy.map({ $0 >= 0 }) ?? true, let speed, speed >= 0 {
            location.speed = speed
            location.speedAccuracy = speedAccuracy
        }
        if courseAccuracy.map({ $0 >= 0 }) ?? true, let course, course >= 0 {
            guard course <= 360 else { throw .value }
            location.course = Geodesy.normalizedCourse(course)
            location.courseAccuracy = courseAccuracy
        }
        guard satellites.map({ (0...1000).contains($0) }) ?? true else { throw .value }
        location.satellitesUsed = satellites.map { Int($0) }
        location.fix = fix
        location.isSimulated = isSimulated
        location.source = "command"
        location.passedValues = passedValues
        return .fix(location)
    }
}
