/// The name of a vehicle: one MQTT topic level, `[A-Za-z0-9_-]{1,64}`, because some brokers close the connection on
/// anything else. It should be opaque, not a number plate (WIRE.md).
public struct VehicleID: Hashable, Sendable, CustomStringConvertible {
    /// What keeps a text from being a vehicle's name.
    public enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        case empty
        /// Longer than 64 characters.
        case tooLong(Int)
        /// The first character that is not allowed.
        case character(Character)

        public var description: String {
            switch self {
            case .empty: "a vehicle id cannot be empty"
            case .tooLong(let count): "a vehicle id has at most 64 characters, this one has \(count)"
            case .character(let character):
                "a vehicle id consists of letters A-Z and a-z, digits, _ and -, not of \"\(character)\""
            }
        }
    }

    public let text: String

    public init(_ text: String) throws(Problem) {
        if text.isEmpty { throw .empty }
        for character in text {
            guard let byte = character.utf8.first, character.utf8.count == 1, VehicleID.allows(byte) else {
                throw .character(character)
            }
        }
        if text.utf8.count > 64 { throw .tooLong(text.utf8.count) }
        self.text = text
    }

    /// A vehicle id from an untrusted payload or topic.
    init?(_ bytes: Span<UInt8>) {
        guard (1...64).contains(bytes.count) else { return nil }
        for index in bytes.indices where !VehicleID.allows(bytes[index]) { return nil }
        text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    public var description: String { text }
}
