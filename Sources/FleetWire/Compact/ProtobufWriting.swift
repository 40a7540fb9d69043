/// Protobuf's wire format, as far as `fleet.proto` needs it.
enum ProtobufWire {
    /// How the value of a field is laid out.
    enum Kind: UInt64 {
        case varint = 0
        case fixed64 = 1
        case delimited = 2
        case fixed32 = 5
    }

    /// Bytes of a number as a varint: seven bits each, one at least.
    @inline(__always)
    static func length(_ value: UInt64) -> Int {
        ((64 - (value | 1).leadingZeroBitCount) &* 9 &+ 64) &>> 6
    }

    /// Bytes of a field's number and kind.
    static func tagLength(_ field: Int) -> Int { length(UInt64(field) << 3) }

    /// Signed numbers so that small ones are short: 0, -1, 1, -2, …
    @inline(__always)
    static func zigZag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value &<< 1) ^ (value &>> 63)) }

    @inline(__always)
    static func signed(_ zigZag: UInt64) -> Int64 { Int64(bitPattern: zigZag &>> 1) ^ -Int64(bitPattern: zigZag & 1) }
}

extension OutputSpan where Element == UInt8 {
    /// Writes a number in at most 10 bytes.
    @inline(__always)
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func append(tag field: Int, _ kind: ProtobufWire.Kind) {
        append(varint: UInt64(field) << 3 | kind.rawValue)
    }

    mutating func append(field: Int, varint value: UInt64) {
        append(tag: field, .varint)
        append(varint: value)
    }

    mutating func append(field: Int, text: Span<UInt8>) {
        append(tag: field, .delimited)
        append(varint: UInt64(text.count))
        for index in text.indices { append(text[index]) }
    }
}
