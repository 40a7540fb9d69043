/// Text written as bytes: literals, integers, decimals, JSON strings and timestamps, whatever the locale.
///
/// Each method states how many bytes it writes at most; the caller makes room for them all at once with
/// `Array.append(addingCapacity:initializingWith:)`, and running out of room traps.
extension OutputSpan where Element == UInt8 {
    /// Writes text as it stands.
    @inlinable @inline(__always)
    public mutating func append(_ literal: StaticString) {
        unsafe withUnsafeMutableBufferPointer { buffer, initialized in
            let count = literal.utf8CodeUnitCount
            precondition(buffer.count - initialized >= count, "no room left")
            guard count > 0 else { return }
            unsafe (buffer.baseAddress! + initialized).update(from: literal.utf8Start, count: count)
            initialized += count
        }
    }

    /// Writes bytes as they stand.
    public mutating func append(copying bytes: Span<UInt8>) {
        for index in bytes.indices { append(bytes[index]) }
    }

    /// Writes an integer, at most 20 bytes.
    public mutating func append(integer value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(integer: value.magnitude)
    }

    /// Writes an integer, at most 20 bytes.
    public mutating func append(integer value: UInt64) { append(value, digits: decimalDigits(value)) }

    /// Writes a number with at most `decimals` (0 to 9) decimal places, trailing zeros left out, correctly rounded from
    /// its exact value with ties to even; zero has no sign. At most 32 bytes.
    ///
    /// JSON has no word for NaN and the infinities: they become `null`; leave them out instead.
    public mutating func append(_ value: Double, decimals: Int) {
        guard value.isFinite else { return append("null") }
        let magnitude = value.magnitude
        guard magnitude < 9_007_199_254_740_992 else {
            // Whole numbers from here on; the standard library writes the shortest text that reads back the same.
            for byte in value.description.utf8 { append(byte) }
            return
        }
        let (whole, parts) = decimalParts(magnitude, decimals: decimals)
        if value < 0, whole != 0 || parts != 0 { append(UInt8(ascii: "-")) }
        append(integer: whole)
        guard parts != 0 else { return }
        var (fraction, places) = (parts, decimals)
        while fraction % 10 == 0 {
            fraction /= 10
            places -= 1
        }
        append(UInt8(ascii: "."))
        append(fraction, digits: places)
    }

    /// Writes a JSON string with its quotation marks, at most 2 + 6 x its UTF-8 length bytes.
    public mutating func append(json text: String) {
        append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0..<0x20:
                append("\\u00")
                append(hexDigit(byte >> 4))
                append(hexDigit(byte & 15))
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }

    /// Writes milliseconds since the Unix epoch as RFC 3339 UTC (`2026-11-30T03:40:00.200Z`), 24 bytes; an instant
    /// outside ``RFC3339/range`` becomes the nearest within.
    public mutating func append(timestamp milliseconds: Int64) {
        let clamped = min(max(milliseconds, RFC3339.range.lowerBound), RFC3339.range.upperBound)
        // Above zero from here on.
        let shifted = UInt64(clamped - RFC3339.range.lowerBound)
        let days = Int64(shifted / 86_400_000) + RFC3339.range.lowerBound / 86_400_000
        let date = RFC3339.date(daysSinceEpoch: days)
        let time = shifted % 86_400_000
        append(UInt64(date.year), digits: 4)
        append(UInt8(ascii: "-"))
        append(UInt64(date.month), digits: 2)
        append(UInt8(ascii: "-"))
        append(UInt64(date.day), digits: 2)
        append(UInt8(ascii: "T"))
        append(time / 3_600_000, digits: 2)
        append(UInt8(ascii: ":"))
        append(time / 60_000 % 60, digits: 2)
        append(UInt8(ascii: ":"))
        append(time / 1000 % 60, digits: 2)
        append(UInt8(ascii: "."))
        append(time % 1000, digits: 3)
        append(UInt8(ascii: "Z"))
    }

    /// Writes the last `digits` decimal digits, with leading zeros.
    @inline(__always)
    private mutating func append(_ value: UInt64, digits: Int) {
        unsafe withUnsafeMutableBufferPointer { buffer, initialized in
            precondition(buffer.count - initialized >= digits, "no room left")
            var rest = value
            var index = initialized + digits
            while index > initialized {
                index -= 1
                unsafe buffer[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            initialized += digits
        }
    }
}

/// How many decimal digits a number has; 0 has one. 1233 / 4096 is the logarithm of 2, near enough for 64 bits.
private func decimalDigits(_ value: UInt64) -> Int {
    let odd = value | 1
    let digits = ((64 - odd.leadingZeroBitCount) * 1233) >> 12
    return odd >= PowersOfTen.integers[digits] ? digits + 1 : digits
}

private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
