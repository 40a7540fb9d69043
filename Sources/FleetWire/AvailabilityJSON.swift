internal import Positioning
internal import WireText

/// The JSON form of an availability message (WIRE.md, Availability). A will has exactly the keys that WIRE.md gives it.
///
/// Read with the same tolerance as ``ReportJSON``: unknown words of `agent`, `provider` and `fix` are absent, a reason
/// that is not known is kept as it is, one that is missing is `unknown`, and a lost link is never available.
public enum AvailabilityJSON {
    /// Appends one message.
    public static func encode(_ message: AvailabilityMessage, into buffer: inout [UInt8]) {
        let state = message.state
        var room = 800 + message.vehicle.text.utf8.count + 6 * message.instance.utf8.count
        room += 6 * (message.version?.utf8.count ?? 0)
        if case .unavailable(let reason) = state.availability { room += 6 * reason.rawValue.utf8.count }
        buffer.append(addingCapacity: room) { (out: inout OutputSpan<UInt8>) in
            out.append("{\"v\":1,\"vehicle\":")
            out.append(json: message.vehicle.text)
            out.append(",\"inst\":")
            out.append(json: message.instance)
            write(",\"boot\":", message.boot, to: &out)
            write(",\"conn\":", message.connection, to: &out)
            if let last = message.last { write(",\"last\":", last, to: &out) }
            if let previous = message.previous {
                write(",\"prev\":{\"boot\":", previous.boot, to: &out)
                write(",\"last\":", previous.last, to: &out)
                out.append(previous.isExact ? ",\"exact\":true}" : ",\"exact\":false}")
            }
            out.append(state.availability.isAvailable ? ",\"available\":true" : ",\"available\":false")
            if case .unavailable(let reason) = state.availability {
                write(",\"reason\":", text: reason.rawValue, to: &out)
            }
            write(",\"until\":\"", message.until, to: &out)
            write(",\"since\":\"", state.since, to: &out)
            write(",\"link\":", text: state.link.rawValue, to: &out)
            write(",\"agent\":", text: state.agent?.rawValue, to: &out)
            write(",\"provider\":", text: state.provider?.rawValue, to: &out)
            write(",\"fix\":", text: state.fix?.rawValue, to: &out)
            if let offset = message.clockOffset {
                out.append(",\"clockOffset\":")
                out.append(Double(offset.milliseconds) / 1000, decimals: 3)
            }
            write(",\"version\":", text: message.version, to: &out)
            out.append("}")
        }
    }

    /// Reads one message of at most 64 KiB.
    public static func decode(_ payload: Span<UInt8>) throws(WireError) -> AvailabilityMessage {
        try decodeMessage(.availability, payload, limit: 1 << 16) {
            (json: inout JSONReader, context: inout DecodingContext) throws(JSONError) in
            var members = AvailabilityMembers()
            try members.read(&json, &context)
            return try members.message(json, &context)
        }
    }

    /// Reads one message of at most 64 KiB.
    public static func decode(_ payload: [UInt8]) throws(WireError) -> AvailabilityMessage { try decode(payload.span) }

    private static func write(_ key: StaticString, _ value: UInt64, to out: inout OutputSpan<UInt8>) {
        out.append(key)
        out.append(integer: value)
    }

    private static func write(_ key: StaticString, text: String?, to out: inout OutputSpan<UInt8>) {
        guard let text else { return }
        out.append(key)
        out.append(json: text)
    }

    private static func write(_ key: StaticString, _ instant: UTCInstant?, to out: inout OutputSpan<UInt8>) {
        guard let instant else { return }
        out.append(key)
        out.append(timestamp: instant.milliseconds)
        out.append("\"")
    }
}
