/// Decimal numbers in logs, as bytes and whatever the locale.
enum DecimalText {
    /// Reads `[+-]digits[.digits][e[+-]digits]`, white space around it allowed; `nil` for anything else and for what a
    /// `Double` cannot hold. With `comma`, a comma is a decimal separator too.
    static func read(_ bytes: Span<UInt8>, _ range: Range<Int>, comma: Bool = false) -> Double? {
        let range = trimmed(bytes, range)
        var index = range.lowerBound
        guard index < range.upperBound else { return nil }
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
        var (mantissa, digits, decimals, hasPoint) = (UInt64(0), 0, 0, false)
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") || (comma && byte == UInt8(ascii: ",")) {
                guard !hasPoint else { return nil }
                hasPoint = true
            } else {
                let digit = byte &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                digits += 1
                if hasPoint { decimals += 1 }
                // What does not fit any more is read again below.
                mantissa = digits <= 18 ? mantissa * 10 + UInt64(digit) : 0
            }
            index += 1
        }
        guard digits > 0 else { return nil }
        // Both parts are exact as `Double`, so that one division rounds once.
        if index == range.upperBound, digits <= 15, decimals <= 22 {
            let magnitude = Double(mantissa) / powers[decimals]
            return isNegative ? -magnitude : magnitude
        }
        return slowly(bytes, range, comma: comma)
    }

    /// The rare forms: exponents and very many digits.
    private static func slowly(_ bytes: Span<UInt8>, _ range: Range<Int>, comma: Bool) -> Double? {
        guard range.count <= 64 else { return nil }
        var text = ""
        for index in range {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                text.unicodeScalars.append(Unicode.Scalar(bytes[index]))
            case UInt8(ascii: ",") where comma: text += "."
            default: return nil
            }
        }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// `range` without the white space at its ends.
    static func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isSpace(bytes[start]) { start += 1 }
        while end > start, isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

    private static let powers: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1.0) { power, _ in power * 10 }
    }
}
