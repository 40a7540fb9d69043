internal import Positioning
internal import WireText

/// The JSON form of a reply. Read: unknown keys are passed over, `null` is absent; a reason that is not known is
/// `unknown`.
public enum ReplyJSON {
    /// Appends one message, with at most ``ReplyMessage/goneLimit`` ranges that are gone.
    public static func encode(_ message: ReplyMessage, into buffer: inout [UInt8]) {
        buffer.append(addingCapacity: 6000) { (out: inout OutputSpan<UInt8>) in
            out.append("{\"v\":1,\"id\":")
            out.append(json: message.id.text)
            switch message.outcome {
            case .coming(let first, let last, let gone):
                out.append(",\"ok\":true")
                if let first, let last {
                    out.append(",\"first\":")
                    out.append(integer: first)
                    out.append(",\"last\":")
                    out.append(integer: last)
                }
                out.append(",\"gone\":[")
                for (index, range) in gone.ranges.prefix(ReplyMessage.goneLimit).enumerated() {
                    out.append(index == 0 ? "[" : ",[")
                    out.append(integer: range.lowerBound)
                    out.append(",")
                    out.append(integer: range.upperBound - 1)
                    out.append("]")
                }
                out.append("]}")
            case .refused(let refusal, let text):
                out.append(",\"ok\":false,\"error\":")
                out.append(json: refusal.rawValue)
                out.append(",\"message\":")
                out.append(json: String(text.prefix(200)))
                out.append("}")
            }
        }
    }

    /// Reads one message of at most 16 KiB.
    public static func decode(_ payload: [UInt8]) throws(WireError) -> ReplyMessage {
        try decodeMessage(.reply, payload.span, limit: 1 << 14) {
            (json: inout JSONReader, context: inout DecodingContext) throws(JSONError) in
            var (hasVersion, id, isAccepted) = (false, VehicleID?.none, Bool?.none)
            var (first, last, gone) = (UInt64?.none, UInt64?.none, SequenceRanges())
            var (refusal, text) = (ReplyMessage.Refusal.unknown, "")
            try json.beginObject()
            while let key = try json.nextKey() {
                context.key = key
                if try json.readNull() { continue }
                switch key {
                case "v": hasVersion = try context.readVersion(&json)
                case "id": id = try context.readName(&json)
                case "ok": isAccepted = try json.readBool()
                case "first": first = try context.readOrdinal(&json)
                case "last": last = try context.readOrdinal(&json)
                case "gone": gone = try readGone(&json, &context)
                case "error": refusal = ReplyMessage.Refusal(rawValue: try json.readString()) ?? .unknown
                case "message": text = try json.readString()
                default: break
                }
            }
            context.key = nil
            guard hasVersion else { throw context.missing("v", json) }
            guard let id else { throw context.missing("id", json) }
            guard let isAccepted else { throw context.missing("ok", json) }
            return ReplyMessage(
                id: id,
                outcome: isAccepted
                    ? .coming(first: first, last: last, gone: gone) : .refused(refusal, message: text))
        }
    }

    private static func readGone(
        _ json: inout JSONReader, _ context: inout DecodingContext
    ) throws(JSONError) -> SequenceRanges {
        var gone = SequenceRanges()
        try json.beginArray()
        while try json.nextElement() {
            try json.beginArray()
            guard try json.nextElement() else { throw context.impossible(json) }
            let from = try context.readOrdinal(&json)
            guard try json.nextElement() else { throw context.impossible(json) }
            let to = try context.readOrdinal(&json)
            guard try !json.nextElement(), from <= to else { throw context.impossible(json) }
            gone.insert(from..<to + 1)
        }
        return gone
    }
}
