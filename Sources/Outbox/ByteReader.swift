/// Reads what the outbox stored; `nil` at the first thing that cannot be.
struct ByteReader {
    private let bytes: [UInt8]
    private let end: Int
    private(set) var offset: Int

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset == end }

    mutating func byte() -> UInt8? {
        guard offset < end else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func number() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let next = byte(), shift < 63 || next <= 1 else { return nil }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
        }
        return nil
    }

    /// At most 255 bytes.
    mutating func text() -> String? {
        guard let length = number(), length <= 255, Int(length) <= end - offset else { return nil }
        defer { offset += Int(length) }
        return String(validating: bytes[offset..<offset + Int(length)], as: UTF8.self)
    }
}
