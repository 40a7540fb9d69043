internal import Positioning
internal import WireText

/// The members of a report as they are read, in whatever order they come.
struct ReportMembers {
    /// How deep the values of a user's own may be nested, where they are written.
    static let passedDepth = 16

    var hasVersion = false
    var instance: String?
    var boot: UInt64?
    private var sequence: UInt64?
    private var latitude: Double?
    private var longitude: Double?
    private var hasKnownAltitudeReference = true
    private var draft = ReportDraft(location: Location(coordinate: Coordinate(latitude: .nan, longitude: .nan)))

    init() {}

    /// Reads the object that comes next.
    mutating func read(_ json: inout JSONReader, _ context: inout DecodingContext) throws(JSONError) {
        try json.beginObject()
        while let key = try json.nextKey() {
            context.key = key
            if try json.readNull() { continue }
            switch key {
            case "v": hasVersion = try context.readVersion(&json)
            case "inst": instance = try context.readInstance(&json)
            case "boot": boot = try context.readOrdinal(&json)
            case "seq": sequence = try context.readOrdinal(&json)
            case "time": draft.location.timestamp = UTCInstant(milliseconds: try context.readTimestamp(&json))
            case "lat": latitude = try json.readDouble()
            case "lon": longitude = try json.readDouble()
            case "hacc": draft.location.horizontalAccuracy = Meaning.positive(try json.readDouble())
            case "alt": draft.location.altitude = try json.readDouble()
            case "altRef":
                let reference = AltitudeReference(word: try json.readWord())
                hasKnownAltitudeReference = reference != nil
                draft.location.altitudeReference = reference ?? .meanSeaLevel
            case "vacc": draft.location.verticalAccuracy = Meaning.notNegative(try json.readDouble())
            case "speed": draft.location.speed = Meaning.notNegative(try json.readDouble())
            case "sacc": draft.location.speedAccuracy = Meaning.notNegative(try json.readDouble())
            case "course": draft.location.course = Meaning.course(try json.readDouble())
            case "cacc": draft.location.courseAccuracy = Meaning.notNegative(try json.readDouble())
            case "fix": draft.location.fix = FixType(word: try json.readWord())
            case "sats": draft.location.satellitesUsed = Meaning.satellites(try json.readInteger())
            case "hdop": draft.location.hdop = Meaning.notNegative(try json.readDouble())
            case "src": draft.location.source = try json.readString()
            case "motion": draft.motion = Motion(word: try json.readWord())
            case "trigger": draft.trigger = ReportTrigger(word: try json.readWord())
            case "due": draft.due = Meaning.seconds(try json.readDouble())
            case "bound": draft.bound = Meaning.positive(try json.readDouble())
            case "mv": draft.predictionVelocity = try readVelocity(&json)
            case "ext": draft.location.passedValues = try readPassedValues(&json)
            case "unreliable": draft.location.unreliable = try readReasons(&json)
            case "up": draft.uptime = Meaning.seconds(try json.readDouble())
            case "sim": draft.location.isSimulated = try json.readBool()
            case "extrapolated": draft.location.isExtrapolated = try json.readBool()
            case "haccAssumed": draft.location.isAccuracyAssumed = try json.readBool()
            default: break
            }
        }
        context.key = nil
    }

    /// The whole, once everything was read.
    mutating func report(
        _ instance: String, _ boot: UInt64, _ json: borrowing JSONReader, _ context: inout DecodingContext
    ) throws(JSONError) -> Report {
        guard let sequence else { throw context.missing("seq", json) }
        if let latitude, let longitude {
            draft.location.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        } else if !draft.location.unreliable.contains(.coordinate) {
            throw context.missing(latitude == nil ? "lat" : "lon", json)
        }
        if !hasKnownAltitudeReference { draft.location.altitude = nil }
        draft.location.unreliable.formUnion(draft.location.intrinsicUnreliability)
        return Report(
            identity: ReportIdentity(instance: instance, boot: boot, sequence: sequence), draft: draft)
    }

    private func readVelocity(_ json: inout JSONReader) throws(JSONError) -> Velocity? {
        var velocity = Velocity.zero
        var count = 0
        try json.beginArray()
        while try json.nextElement() {
            let value = try json.readDouble()
            if count == 0 { velocity.north = value } else { velocity.east = value }
            count += 1
        }
        return count == 2 ? Meaning.velocity(velocity.north, velocity.east) : nil
    }

    /// Too many of them are passed over.
    private func readPassedValues(_ json: inout JSONReader) throws(JSONError) -> PassedValues? {
        guard try json.kind() == .object else { throw JSONError(.type, at: json.position) }
        let range = try json.skipValueForRange()
        return range.count <= PassedValues.limit ? PassedValues(json: json.copy(range)) : nil
    }

    private func readReasons(_ json: inout JSONReader) throws(JSONError) -> UnreliableReasons {
        var reasons: UnreliableReasons = []
        try json.beginArray()
        while try json.nextElement() { reasons.formUnion(UnreliableReasons(word: try json.readWord())) }
        return reasons
    }
}
