internal import WireText

/// The JSON form of a command. Read: unknown keys are passed over, `null` is absent; a missing or impossible member, or
/// an action that is not known, refuses the whole: half a command is none.
public enum CommandJSON {
    /// Appends one message.
    public static func encode(_ message: CommandMessage, into buffer: inout [UInt8]) {
        buffer.append(addingCapacity: 800) { (out: inout OutputSpan<UInt8>) in
            out.append("{\"v\":1,\"id\":")
            out.append(json: message.id.text)
            switch message.action {
            case .locate: out.append(",\"action\":\"locate\"")
            case .resend(let instance, let boot, let sequences):
                out.append(",\"action\":\"resend\",\"inst\":")
                out.append(json: instance)
                out.append(",\"boot\":")
                out.append(integer: boot)
                out.append(",\"from\":")
                out.append(integer: sequences.lowerBound)
                out.append(",\"to\":")
                out.append(integer: sequences.upperBound)
            }
            out.append(",\"reply\":")
            out.append(json: message.subscriber.text)
            out.append("}")
        }
    }

    /// Reads one message of at most 4 KiB.
    public static func decode(_ payload: [UInt8]) throws(WireError) -> CommandMessage {
        try decodeMessage(.command, payload.span, limit: 1 << 12) {
            (json: inout JSONReader, context: inout DecodingContext) throws(JSONError) in
            var members = Members()
            try json.beginObject()
            while let key = try json.nextKey() {
                context.key = key
                if try json.readNull() { continue }
                switch key {
                case "v": members.hasVersion = try context.readVersion(&json)
                case "id": members.id = try context.readName(&json)
                case "reply": members.subscriber = try context.readName(&json)
                case "action":
                    switch try json.readWord() {
                    case "locate": members.isResend = false
                    case "resend": members.isResend = true
                    default: throw context.impossible(json)
                    }
                case "inst": members.instance = try context.readInstance(&json)
                case "boot": members.boot = try context.readOrdinal(&json)
                case "from": members.from = try context.readOrdinal(&json)
                case "to": members.to = try context.readOrdinal(&json)
                default: break
                }
            }
            context.key = nil
            return try members.message(json, &context)
        }
    }

    private struct Members {
        var hasVersion = false
        var id: VehicleID?
        var subscriber: VehicleID?
        var isResend: Bool?
        var instance: String?
        var boot: UInt64?
        var from: UInt64?
        var to: UInt64?

        func message(
            _ json: borrowing JSONReader, _ context: inout DecodingContext
        ) throws(JSONError) -> CommandMessage {
            guard hasVersion else { throw context.missing("v", json) }
            guard let id else { throw context.missing("id", json) }
            guard let isResend else { throw context.missing("action", json) }
            guard let subscriber else { throw context.missing("reply", json) }
            guard isResend else { return CommandMessage(id: id, action: .locate, subscriber: subscriber) }
            guard let instance else { throw context.missing("inst", json) }
            guard let boot else { throw context.missing("boot", json) }
            guard let from else { throw context.missing("from", json) }
            guard let to, to >= from else { throw context.missing("to", json) }
            return CommandMessage(
                id: id, action: .resend(instance: instance, boot: boot, sequences: from...to), subscriber: subscriber)
        }
    }
}
