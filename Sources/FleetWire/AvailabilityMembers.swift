internal import Positioning
internal import WireText

/// The members of an availability message as they are read, in whatever order they come.
struct AvailabilityMembers {
    private var hasVersion = false
    private var vehicle: VehicleID?
    private var instance: String?
    private var boot: UInt64?
    private var connection: UInt64?
    private var last: UInt64?
    private var previous: AvailabilityMessage.PreviousBoot?
    private var isAvailable: Bool?
    private var reason: String?
    private var until: UTCInstant?
    private var since: UTCInstant?
    private var link: AvailabilityReport.Link?
    private var agent: AvailabilityReport.Agent?
    private var provider: AvailabilityReport.Provider?
    private var fix: AvailabilityReport.Fix?
    private var clockOffset: UTCInstant?
    private var version: String?

    init() {}

    mutating func read(_ json: inout JSONReader, _ context: inout DecodingContext) throws(JSONError) {
        try json.beginObject()
        while let key = try json.nextKey() {
            context.key = key
            if try json.readNull() { continue }
            switch key {
            case "v": hasVersion = try context.readVersion(&json)
            case "vehicle":
                guard let id = try json.withStringBytes({ VehicleID($0) }) else { throw context.impossible(json) }
                vehicle = id
            case "inst": instance = try context.readInstance(&json)
            case "boot": boot = try context.readOrdinal(&json)
            case "conn": connection = try context.readCount(&json)
            case "last": last = try context.readCount(&json)
            case "prev": previous = try readPrevious(&json, &context)
            case "available": isAvailable = try json.readBool()
            case "reason": reason = try json.readString()
            case "until": until = UTCInstant(milliseconds: try context.readTimestamp(&json))
            case "since": since = UTCInstant(milliseconds: try context.readTimestamp(&json))
            case "link": link = AvailabilityReport.Link(rawValue: try json.readString())
            case "agent": agent = AvailabilityReport.Agent(rawValue: try json.readString())
            case "provider": provider = AvailabilityReport.Provider(rawValue: try json.readString())
            case "fix": fix = AvailabilityReport.Fix(rawValue: try json.readString())
            case "clockOffset": clockOffset = instant(seconds: try json.readDouble())
            case "version": version = try json.readString()
            default: break
            }
        }
        context.key = nil
    }

    /// The whole, once everything was read.
    func message(_ json: borrowing JSONReader, _ context: inout DecodingContext) throws(JSONError)
        -> AvailabilityMessage
    {
        guard hasVersion else { throw context.missing("v", json) }
        guard let vehicle else { throw context.missing("vehicle", json) }
        guard let instance else { throw context.missing("inst", json) }
        guard let boot else { throw context.missing("boot", json) }
        guard let connection else { throw context.missing("conn", json) }
        guard let isAvailable else { throw context.missing("available", json) }
        let link = link ?? (reason == UnavailabilityReason.linkLost.rawValue ? .lost : .online)
        let availability: Availability =
            isAvailable && link == .online
            ? .available
            : .unavailable(UnavailabilityReason(rawValue: reason ?? (link == .lost ? "linkLost" : "unknown")))
        return AvailabilityMessage(
            vehicle: vehicle, instance: instance, boot: boot, connection: connection, last: last, previous: previous,
            state: AvailabilityReport(
                availability: availability, since: since, link: link, agent: agent, provider: provider, fix: fix),
            until: until, clockOffset: clockOffset, version: version)
    }

    private func readPrevious(
        _ json: inout JSONReader, _ context: inout DecodingContext
    ) throws(JSONError) -> AvailabilityMessage.PreviousBoot? {
        var boot: UInt64?
        var last: UInt64?
        var isExact = false
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "boot": boot = try context.readOrdinal(&json)
            case "last": last = try context.readCount(&json)
            case "exact": isExact = try json.readBool()
            default: break
            }
        }
        guard let boot, let last else { return nil }
        return AvailabilityMessage.PreviousBoot(boot: boot, last: last, isExact: isExact)
    }
}

/// Seconds since the Unix epoch, within the years that a timestamp can have.
private func instant(seconds: Double) -> UTCInstant? {
    guard seconds.magnitude < 1e11 else { return nil }
    return UTCInstant(milliseconds: Int64((seconds * 1000).rounded()))
}
