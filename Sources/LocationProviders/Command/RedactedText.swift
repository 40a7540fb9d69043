/// What a program says, made fit for a log: no coordinates, no control characters, a limited length.
enum RedactedText {
    static let longest = 200

    /// Numbers that may be a part of a coordinate become `#`: those with a fraction, those of five digits and more, and
    /// those in degrees.
    static func text(_ bytes: Span<UInt8>) -> String {
        var kept: [UInt8] = []
        var index = 0
        while index < bytes.count, kept.count < longest {
            let byte = bytes[index]
            guard isDigit(byte) else {
                kept.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: " ") : byte)
                index += 1
                continue
            }
            let end = numberEnd(bytes, index)
            if isHarmless(bytes, index..<end) {
                for digit in index..<end { kept.append(bytes[digit]) }
            } else {
                kept.append(UInt8(ascii: "#"))
            }
            index = end
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Behind the digits, and the separators between digits.
    private static func numberEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let isSeparator = bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",")
            guard isDigit(bytes[index]) || (isSeparator && index + 1 < bytes.count && isDigit(bytes[index + 1])) else {
                break
            }
            index += 1
        }
        return index
    }

    private static func isHarmless(_ bytes: Span<UInt8>, _ number: Range<Int>) -> Bool {
        guard number.count < 5, number.allSatisfy({ isDigit(bytes[$0]) }) else { return false }
        let end = number.upperBound
        // The degree sign in UTF-8.
        return !(end + 1 < bytes.count && bytes[end] == 0xC2 && bytes[end + 1] == 0xB0)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
