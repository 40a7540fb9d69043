/// The frame around whatever the outbox stores as one value: a magic, a checksum and a length, so that it is found and
/// known to be whole among the raw bytes of a damaged file, without SQLite.
enum StoredRecord {
    enum Kind: UInt8 {
        case piece = 1
        case ledger = 2
    }

    /// The last byte counts versions of the format.
    static let magic: [UInt8] = [0xF5, 0x46, 0x58, 0x01]
    /// Magic, checksum, length.
    static let headLength = 12

    /// Appends the frame with what `body` appends in it.
    static func write(_ kind: Kind, to buffer: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
        let start = buffer.count
        buffer.append(contentsOf: magic)
        buffer.append(word: 0)
        buffer.append(word: 0)
        buffer.append(kind.rawValue)
        body(&buffer)
        buffer.set(word: UInt32(buffer.count - start - headLength), at: start + 8)
        let checksum = CRC32.checksum(buffer.span.extracting((start + 8)...))
        buffer.set(word: checksum, at: start + 4)
    }

    /// What a whole record at the start of some bytes holds.
    struct Found {
        var kind: Kind
        /// Without the frame and the kind.
        var body: Range<Int>
        /// Of the whole record.
        var length: Int
    }

    /// The record that begins at `offset`, if it is whole.
    static func find(in bytes: borrowing Span<UInt8>, at offset: Int = 0) -> Found? {
        guard offset >= 0, bytes.count - offset > headLength else { return nil }
        for index in 0..<4 where bytes[offset + index] != magic[index] { return nil }
        let length = Int(word(bytes, offset + 8))
        let start = offset + headLength
        guard length > 0, length <= bytes.count - start,
            CRC32.checksum(bytes.extracting((offset + 8)..<(start + length))) == word(bytes, offset + 4),
            let kind = Kind(rawValue: bytes[start])
        else { return nil }
        return Found(kind: kind, body: (start + 1)..<(start + length), length: headLength + length)
    }

    private static func word(_ bytes: borrowing Span<UInt8>, _ offset: Int) -> UInt32 {
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
    }
}
