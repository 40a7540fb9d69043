extension JSONReader {
    /// Where the content of a string is, between the quotation marks.
    struct StringRange {
        var start: Int
        var end: Int
        var hasEscapes: Bool
    }

    /// Reads a string as a word of a vocabulary.
    public mutating func readWord() throws(JSONError) -> JSONWord {
        try expectString()
        let word = try scanWord()
        state = .complete
        return word
    }

    /// Reads a string.
    public mutating func readString() throws(JSONError) -> String {
        try withStringBytes { text in unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Reads a string and lends its UTF-8 bytes, escapes resolved, to `body`.
    public mutating func withStringBytes<Result>(_ body: (Span<UInt8>) -> Result) throws(JSONError) -> Result {
        try expectString()
        let range = try scanString()
        state = .complete
        if range.hasEscapes { return body(unescaped(range).span) }
        return unsafe body(UnsafeBufferPointer(start: bytes + range.start, count: range.end - range.start).span)
    }

    /// Reads an RFC 3339 timestamp as milliseconds since the Unix epoch; `nil` for a string that is none.
    public mutating func readTimestamp() throws(JSONError) -> Int64? {
        try withStringBytes { RFC3339.milliseconds($0) }
    }

    private mutating func expectString() throws(JSONError) {
        guard try valueStart() == UInt8(ascii: "\"") else { throw mismatch() }
    }

    /// Reads the string at whose quotation mark the reader stands.
    @inline(__always)
    mutating func scanWord() throws(JSONError) -> JSONWord {
        let start = position + 1
        if let word = shortWord(at: start) {
            position = start + word.length + 1
            return word
        }
        var index = start
        var word = JSONWord()
        while index < count {
            let byte = unsafe bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                return word
            }
            // Anything unusual is left to the full scan.
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") { break }
            word.append(byte)
            index += 1
        }
        let range = try scanString()
        word = JSONWord()
        for byte in unescaped(range) { word.append(byte) }
        return word
    }

    /// The word of at most 7 bytes at `start`, eight bytes looked at in one step; `nil` for a longer or unusual one.
    @inline(__always)
    func shortWord(at start: Int) -> JSONWord? {
        guard count - start >= 8 else { return nil }
        let text = unsafe UInt64(
            littleEndian: UnsafeRawPointer(bytes + start).loadUnaligned(as: UInt64.self))
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        // The lowest top bit that is set marks the first quotation mark; those above it may be wrong.
        let quotes = text ^ (ones &* 0x22)
        let found = (quotes &- ones) & ~quotes & tops
        guard found != 0 else { return nil }
        let length = found.trailingZeroBitCount / 8
        let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1
        // Control characters, escapes and what is not ASCII are left to the full scan.
        let escapes = text ^ (ones &* 0x5C)
        let unusual = text | (text &- ones &* 0x20) | (escapes &- ones) & ~escapes
        guard unusual & tops & mask == 0 else { return nil }
        return JSONWord(low: text & mask, size: length)
    }

    /// Reads past the string at whose quotation mark the reader stands, checking it.
    @inline(__always)
    mutating func scanString() throws(JSONError) -> StringRange {
        let start = position + 1
        var index = start
        var hasEscapes = false
        while index < count {
            let byte = unsafe bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                return StringRange(start: start, end: index, hasEscapes: hasEscapes)
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                index = try endOfEscape(index)
            } else if byte < 0x20 {
                throw JSONError(.string, at: index)
            } else if byte < 0x80 {
                index += 1
            } else {
                index = try endOfScalar(index)
            }
        }
        throw JSONError(.truncated, at: count)
    }

    /// Checks one multi-byte UTF-8 sequence (Unicode, table 3-7) and returns where it ends.
    private func endOfScalar(_ index: Int) throws(JSONError) -> Int {
        let lead = unsafe bytes[index]
        let (length, second): (Int, ClosedRange<UInt8>)
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE, 0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw JSONError(.string, at: index)
        }
        for offset in 1..<length {
            guard index + offset < count else { throw JSONError(.truncated, at: count) }
            let byte = unsafe bytes[index + offset]
            guard offset == 1 ? second.contains(byte) : byte & 0xC0 == 0x80 else { throw JSONError(.string, at: index) }
        }
        return index + length
    }

    /// Checks one escape and returns where it ends; half a surrogate pair is refused.
    private func endOfEscape(_ index: Int) throws(JSONError) -> Int {
        guard index + 1 < count else { throw JSONError(.truncated, at: count) }
        switch unsafe bytes[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return index + 2
        case UInt8(ascii: "u"):
            let unit = try codeUnit(index)
            if unit & 0xFC00 == 0xDC00 { throw JSONError(.string, at: index) }
            guard unit & 0xFC00 == 0xD800 else { return index + 6 }
            guard index + 7 < count else { throw JSONError(.truncated, at: count) }
            guard unsafe bytes[index + 6] == UInt8(ascii: "\\"), unsafe bytes[index + 7] == UInt8(ascii: "u"),
                try codeUnit(index + 6) & 0xFC00 == 0xDC00
            else { throw JSONError(.string, at: index) }
            return index + 12
        default:
            throw JSONError(.syntax, at: index + 1)
        }
    }

    /// The code unit of the `\uXXXX` at `index`.
    private func codeUnit(_ index: Int) throws(JSONError) -> UInt32 {
        guard index + 5 < count else { throw JSONError(.truncated, at: count) }
        var unit: UInt32 = 0
        for offset in 2...5 {
            let byte = unsafe bytes[index + offset]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw JSONError(.syntax, at: index + offset)
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// The bytes of a checked string with its escapes resolved.
    private func unescaped(_ range: StringRange) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(range.end - range.start)
        var index = range.start
        while index < range.end {
            let byte = unsafe bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                index += 1
                continue
            }
            let escape = unsafe bytes[index + 1]
            index += 2
            switch escape {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = (try? codeUnit(index - 2)) ?? 0xFFFD
                index += 4
                if scalar & 0xFC00 == 0xD800 {
                    let low = (try? codeUnit(index)) ?? 0xDC00
                    scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
                    index += 6
                }
                text.append(contentsOf: String(Character(Unicode.Scalar(scalar) ?? "\u{FFFD}")).utf8)
            default: text.append(escape)
            }
        }
        return text
    }
}
