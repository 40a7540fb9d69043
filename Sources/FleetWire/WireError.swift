/// Why a payload was refused as a whole: never half-read (WIRE.md, Report).
public struct WireError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable word for counters and logs.
    public enum Code: String, Sendable, CaseIterable {
        /// Nothing in it; on a retained topic that is how a message is cleared.
        case empty
        /// Neither JSON, which begins with `{`, nor the compact form where that may come: no payload of ours.
        case encoding
        /// It begins well but is not well-formed.
        case syntax
        /// Larger or deeper than any message of ours, or with more reports.
        case size
        /// Made by a newer version of the protocol.
        case version
        /// A key that must be there is not.
        case missing
        /// A value of another kind: a number in quotation marks, a decimal comma, …
        case type
        /// A value that cannot be: no timestamp, an id with a space, sequence 0, …
        case value
    }

    public enum Message: String, Sendable {
        case report, track, availability
        case demand, health, command, reply
        case ownTracks = "OwnTracks message"
    }

    public var code: Code
    public var message: Message
    /// The key at fault, where there is one.
    public var key: String?

    public init(_ code: Code, in message: Message, key: String? = nil) {
        self.code = code
        self.message = message
        self.key = key
    }

    public var description: String {
        let place = key.map { " at \"\($0)\"" } ?? ""
        switch code {
        case .empty: return "\(message.rawValue): empty payload"
        case .encoding: return "\(message.rawValue): neither JSON, which begins with {, nor the compact form"
        case .syntax: return "\(message.rawValue): malformed\(place)"
        case .size: return "\(message.rawValue): too large or too deeply nested"
        case .version: return "\(message.rawValue): made by a newer version of the protocol; only \"v\":1 is understood"
        case .missing: return "\(message.rawValue): \"\(key ?? "")\" is missing"
        case .type: return "\(message.rawValue): wrong kind of value\(place)"
        case .value: return "\(message.rawValue): impossible value\(place)"
        }
    }

    /// The start of a payload for logs: printable ASCII only, and every digit masked, so that no coordinate shows.
    public static func excerpt(_ payload: [UInt8], limit: Int = 60) -> String {
        let masked = payload.prefix(limit).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "#")
            case 0x20..<0x7F: byte
            default: UInt8(ascii: "?")
            }
        }
        return String(decoding: masked, as: UTF8.self) + (payload.count > limit ? "…" : "")
    }
}
