/// A short string as a value: a key or a word of a vocabulary, compared without making a `String`.
///
/// The first 24 bytes and the length are kept, so that words of up to 24 bytes compare exactly; no vocabulary here has
/// longer ones, and a longer word from outside equals none of them.
public struct JSONWord: Equatable, Sendable, ExpressibleByStringLiteral {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var middle: UInt64 = 0
    @usableFromInline var high: UInt64 = 0
    @usableFromInline var size: Int = 0

    /// Length in UTF-8 bytes.
    public var length: Int { size }

    init() {}

    /// At most 8 bytes, the first one lowest.
    @inline(__always)
    init(low: UInt64, size: Int) {
        self.low = low
        self.size = size
    }

    /// A word of at most 24 bytes.
    @inlinable @inline(__always)
    public init(stringLiteral literal: StaticString) {
        let count = literal.utf8CodeUnitCount
        precondition(count <= 24, "a word has at most 24 bytes")
        for index in 0..<count { unsafe append(literal.utf8Start[index]) }
    }

    @inlinable @inline(__always)
    mutating func append(_ byte: UInt8) {
        if size < 8 {
            low |= UInt64(byte) &<< UInt64(truncatingIfNeeded: size &* 8)
        } else if size < 16 {
            middle |= UInt64(byte) &<< UInt64(truncatingIfNeeded: (size &- 8) &* 8)
        } else if size < 24 {
            high |= UInt64(byte) &<< UInt64(truncatingIfNeeded: (size &- 16) &* 8)
        }
        size &+= 1
    }

    @inlinable @inline(__always)
    public static func == (a: JSONWord, b: JSONWord) -> Bool {
        a.low == b.low && a.size == b.size && a.middle == b.middle && a.high == b.high
    }
}

extension JSONWord: CustomStringConvertible {
    /// The word, of a longer one the first 24 bytes and an ellipsis.
    public var description: String {
        var bytes: [UInt8] = []
        for index in 0..<min(size, 24) {
            let part = index < 8 ? low : index < 16 ? middle : high
            bytes.append(UInt8(truncatingIfNeeded: part >> UInt64(index % 8 * 8)))
        }
        return String(decoding: bytes, as: UTF8.self) + (size > 24 ? "…" : "")
    }
}
