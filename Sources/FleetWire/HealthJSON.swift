internal import Positioning
internal import WireText

/// The JSON form of a health message (WIRE.md, Health). Read: unknown keys are passed over, what is missing inside a
/// group is 0.
public enum HealthJSON {
    /// Appends one message.
    public static func encode(_ message: HealthMessage, into buffer: inout [UInt8]) {
        var room = 1000 + message.vehicle.text.utf8.count + 6 * message.instance.utf8.count
        room += 6 * message.version.utf8.count + message.rejected.reduce(0) { $0 + 6 * $1.rule.utf8.count + 30 }
        buffer.append(addingCapacity: room) { (out: inout OutputSpan<UInt8>) in
            out.append("{\"v\":1,\"vehicle\":")
            out.append(json: message.vehicle.text)
            out.append(",\"inst\":")
            out.append(json: message.instance)
            write(",\"boot\":", message.boot, to: &out)
            write(",\"last\":", message.last, to: &out)
            if let time = message.time {
                out.append(",\"time\":\"")
                out.append(timestamp: time.milliseconds)
                out.append("\"")
            }
            write(",\"up\":", message.uptime, to: &out)
            out.append(",\"version\":")
            out.append(json: message.version)
            if let word = message.fix.word {
                out.append(",\"fix\":\"")
                out.append(word)
                out.append("\"")
            }
            if let satellites = message.satellites {
                out.append(",\"sats\":")
                out.append(integer: Int64(satellites))
            }
            writeGroups(message, to: &out)
            write(",\"cpu\":", message.cpu, to: &out)
            if let resident = message.resident { write(",\"rss\":", resident, to: &out) }
            out.append("}")
        }
    }

    private static func writeGroups(_ message: HealthMessage, to out: inout OutputSpan<UInt8>) {
        if let queue = message.queue {
            write(",\"queue\":{\"reports\":", queue.reports, to: &out)
            if let bytes = queue.bytes { write(",\"bytes\":", bytes, to: &out) }
            write(",\"oldest\":", queue.oldest, to: &out)
            write(",\"dropped\":", queue.dropped, to: &out)
            if queue.aside > 0 { write(",\"aside\":", queue.aside, to: &out) }
            out.append("}")
        }
        if !message.rejected.isEmpty {
            out.append(",\"rejected\":{")
            for (index, rejected) in message.rejected.enumerated() {
                if index > 0 { out.append(",") }
                out.append(json: rejected.rule)
                write(":", rejected.count, to: &out)
            }
            out.append("}")
        }
        if let sent = message.sent {
            write(",\"sent\":{\"live\":", sent.live, to: &out)
            write(",\"track\":", sent.track, to: &out)
            write(",\"bytes\":", sent.bytes, to: &out)
            out.append("}")
        }
        if let link = message.link {
            write(",\"link\":{\"connects\":", link.connects, to: &out)
            write(",\"lost\":", link.lost, to: &out)
            write(",\"rtt\":", link.roundTrip, to: &out)
            out.append("}")
        }
        if let budget = message.budget {
            write(",\"budget\":{\"perDay\":", budget.perDay, to: &out)
            write(",\"used\":", budget.used, to: &out)
            write(",\"factor\":", budget.factor, to: &out)
            out.append(budget.isExhausted ? ",\"exhausted\":true}" : "}")
        }
    }

    /// Reads one message of at most 64 KiB.
    public static func decode(_ payload: [UInt8]) throws(WireError) -> HealthMessage {
        try decodeMessage(.health, payload.span, limit: 1 << 16) {
            (json: inout JSONReader, context: inout DecodingContext) throws(JSONError) in
            var members = HealthMembers()
            try members.read(&json, &context)
            return try members.message(json, &context)
        }
    }

    private static func write(_ key: StaticString, _ value: UInt64, to out: inout OutputSpan<UInt8>) {
        out.append(key)
        out.append(integer: value)
    }

    private static func write(_ key: StaticString, _ value: Double?, to out: inout OutputSpan<UInt8>) {
        guard let value, value.isFinite else { return }
        out.append(key)
        out.append(value, decimals: 3)
    }
}
