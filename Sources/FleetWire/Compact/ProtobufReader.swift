/// Pulls fields out of a protobuf message. The bytes are untrusted: each step checks that it stays within them.
///
/// The bytes themselves are given to each call: the same ones that the reader was made for.
struct ProtobufReader {
    /// A field's number and what it holds.
    struct Field {
        var number: Int
        var value: Value
    }

    enum Value {
        case varint(UInt64)
        /// Where the eight bytes begin.
        case fixed64(Int)
        case delimited(Range<Int>)
        case fixed32
    }

    /// The bytes are no message.
    struct Malformed: Error {}

    private(set) var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position >= end }

    /// The next field; `nil` at the end.
    mutating func next(_ bytes: Span<UInt8>) throws(Malformed) -> Field? {
        guard position < end else { return nil }
        let tag = try varint(bytes)
        guard tag >= 8, tag >> 3 < 1 << 29, let kind = ProtobufWire.Kind(rawValue: tag & 7) else { throw Malformed() }
        let number = Int(tag >> 3)
        switch kind {
        case .varint: return Field(number: number, value: .varint(try varint(bytes)))
        case .fixed64: return Field(number: number, value: .fixed64(try skip(8).lowerBound))
        case .fixed32:
            _ = try skip(4)
            return Field(number: number, value: .fixed32)
        case .delimited:
            let count = try varint(bytes)
            guard count <= UInt64(end - position) else { throw Malformed() }
            return Field(number: number, value: .delimited(try skip(Int(count))))
        }
    }

    /// The number that comes next.
    @inline(__always)
    mutating func varint(_ bytes: Span<UInt8>) throws(Malformed) -> UInt64 {
        guard position < end else { throw Malformed() }
        let first = bytes[position]
        position &+= 1
        if first < 0x80 { return UInt64(first) }
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while position < end, shift < 64 {
            let byte = bytes[position]
            position &+= 1
            value |= UInt64(byte & 0x7F) &<< shift
            // The tenth byte has room for one bit.
            if byte < 0x80 {
                guard shift < 63 || byte <= 1 else { throw Malformed() }
                return value
            }
            shift &+= 7
        }
        throw Malformed()
    }

    /// The eight bytes at `place`, which lie within the message, as a number.
    static func double(_ bytes: Span<UInt8>, at place: Int) -> Double {
        var bits: UInt64 = 0
        for index in 0..<8 { bits |= UInt64(bytes[place + index]) << UInt64(8 * index) }
        return Double(bitPattern: bits)
    }

    private mutating func skip(_ count: Int) throws(Malformed) -> Range<Int> {
        guard end - position >= count else { throw Malformed() }
        defer { position += count }
        return position..<position + count
    }
}
