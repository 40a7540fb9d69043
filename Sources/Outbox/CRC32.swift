/// The CRC-32 of IEEE 802.3 (zlib's): finds any single burst of damage up to 32 bits.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    static func checksum(_ bytes: borrowing Span<UInt8>) -> UInt32 {
        let table = table.span
        var value: UInt32 = .max
        for index in bytes.indices {
            value = table[Int((value ^ UInt32(bytes[index])) & 0xFF)] ^ (value >> 8)
        }
        return ~value
    }
}
