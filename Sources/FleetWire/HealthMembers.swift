internal import Positioning
internal import WireText

/// The members of a health message as they are read, in whatever order they come.
struct HealthMembers {
    private var hasVersion = false
    private var vehicle: VehicleID?
    private var instance: String?
    private var boot: UInt64?
    private var last: UInt64 = 0
    private var time: UTCInstant?
    private var uptime = 0.0
    private var version = ""
    private var fix = FixType.unknown
    private var satellites: Int?
    private var queue: HealthMessage.Queue?
    private var rejected: [HealthMessage.Rejected] = []
    private var sent: HealthMessage.Sent?
    private var link: HealthMessage.Link?
    private var budget: HealthMessage.Budget?
    private var cpu: Double?
    private var resident: UInt64?

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
            case "last": last = try context.readCount(&json)
            case "time": time = UTCInstant(milliseconds: try context.readTimestamp(&json))
            case "up": uptime = try json.readDouble()
            case "version": version = try json.readString()
            case "fix": fix = FixType(word: try json.readWord())
            case "sats": satellites = Int(exactly: try json.readInteger())
            case "queue": try readQueue(&json, &context)
            case "rejected": try readRejected(&json, &context)
            case "sent": try readSent(&json, &context)
            case "link": try readLink(&json, &context)
            case "budget": try readBudget(&json, &context)
            case "cpu": cpu = try json.readDouble()
            case "rss": resident = try context.readCount(&json)
            default: break
            }
        }
        context.key = nil
    }

    mutating func message(
        _ json: borrowing JSONReader, _ context: inout DecodingContext
    ) throws(JSONError) -> HealthMessage {
        guard hasVersion else { throw context.missing("v", json) }
        guard let vehicle else { throw context.missing("vehicle", json) }
        guard let instance else { throw context.missing("inst", json) }
        guard let boot else { throw context.missing("boot", json) }
        var message = HealthMessage(
            vehicle: vehicle, instance: instance, boot: boot, last: last, time: time, uptime: uptime,
            version: version)
        (message.fix, message.satellites, message.queue) = (fix, satellites, queue)
        (message.rejected, message.sent, message.link) = (rejected, sent, link)
        (message.budget, message.cpu, message.resident) = (budget, cpu, resident)
        return message
    }

    private mutating func readQueue(
        _ json: inout JSONReader, _ context: inout DecodingContext
    ) throws(JSONError) {
        var read = HealthMessage.Queue(reports: 0, dropped: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "reports": read.reports = try context.readCount(&json)
            case "bytes": read.bytes = try context.readCount(&json)
            case "aside": read.aside = try context.readCount(&json)
            case "oldest": read.oldest = try json.readDouble()
            case "dropped": read.dropped = try context.readCount(&json)
            default: break
            }
        }
        queue = read
    }

    private mutating func readRejected(
        _ json: inout JSONReader, _ context: inout DecodingContext
    ) throws(JSONError) {
        rejected = []
        try json.beginObject()
        while let key = try json.nextKey() {
            rejected.append(HealthMessage.Rejected(rule: key.description, count: try context.readCount(&json)))
        }
    }

    private mutating func readSent(_ json: inout JSONReader, _ context: inout DecodingContext) throws(JSONError) {
        var read = HealthMessage.Sent(live: 0, track: 0, bytes: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "live": read.live = try context.readCount(&json)
            case "track": read.track = try context.readCount(&json)
            case "bytes": read.bytes = try context.readCount(&json)
            default: break
            }
        }
        sent = read
    }

    private mutating func readLink(_ json: inout JSONReader, _ context: inout DecodingContext) throws(JSONError) {
        var read = HealthMessage.Link(connects: 0, lost: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "connects": read.connects = try context.readCount(&json)
            case "lost": read.lost = try context.readCount(&json)
            case "rtt": read.roundTrip = try json.readDouble()
            default: break
            }
        }
        link = read
    }

    private mutating func readBudget(_ json: inout JSONReader, _ context: inout DecodingContext) throws(JSONError) {
        var read = HealthMessage.Budget(perDay: 0, used: 0, factor: 1, isExhausted: false)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "perDay": read.perDay = try context.readCount(&json)
            case "used": read.used = try context.readCount(&json)
            case "factor": read.factor = try json.readDouble()
            case "exhausted": read.isExhausted = try json.readBool()
            default: break
            }
        }
        budget = read
    }
}
