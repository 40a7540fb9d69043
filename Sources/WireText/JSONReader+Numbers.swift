extension JSONReader {
    /// A number as it is written: (-1)^isNegative x significand x 10^exponent, unless digits had to be dropped.
    struct Number {
        var start = 0
        var end = 0
        var isNegative = false
        /// The first 19 significant digits.
        var significand: UInt64 = 0
        var exponent = 0
        /// More digits than the significand holds.
        var isInexact = false
        /// Written without fraction and exponent.
        var isInteger = true

        /// The exact value of an integer that `Int64` holds.
        var integer: Int64? {
            guard isInteger, !isInexact else { return nil }
            guard isNegative else { return Int64(exactly: significand) }
            return significand <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- significand) : nil
        }
    }

    /// Reads past the number at whose first byte the reader stands, checking it.
    @inline(__always)
    mutating func scanNumber() throws(JSONError) -> Number {
        if let number = scanShortNumber() { return number }
        return try scanAnyNumber()
    }

    /// The usual number: at most 18 digits, no exponent, nothing wrong with it.
    @inline(__always)
    private mutating func scanShortNumber() -> Number? {
        var index = position
        var number = Number()
        number.start = index
        if unsafe bytes[index] == UInt8(ascii: "-") {
            number.isNegative = true
            index += 1
        }
        let first = index
        var significand: UInt64 = 0
        // What overflows here has too many digits, which is seen below.
        while index < count, let digit = digit(index) {
            significand = significand &* 10 &+ UInt64(digit)
            index &+= 1
        }
        var digits = index - first
        guard digits > 0, unsafe digits == 1 || bytes[first] != UInt8(ascii: "0") else { return nil }
        if index < count, unsafe bytes[index] == UInt8(ascii: ".") {
            number.isInteger = false
            index += 1
            let point = index
            while index < count, let digit = digit(index) {
                significand = significand &* 10 &+ UInt64(digit)
                index &+= 1
            }
            guard index > point else { return nil }
            number.exponent = point - index
            digits += index - point
        }
        guard digits <= 18 else { return nil }
        if index < count, unsafe bytes[index] | 0x20 == UInt8(ascii: "e") { return nil }
        number.significand = significand
        number.end = index
        position = index
        return number
    }

    @inline(never)
    private mutating func scanAnyNumber() throws(JSONError) -> Number {
        var number = Number()
        number.start = position
        var index = position
        if unsafe bytes[index] == UInt8(ascii: "-") {
            number.isNegative = true
            index += 1
        }
        var digits = 0
        let first = index
        while index < count, let digit = digit(index) {
            number.take(digit, &digits, isFraction: false)
            index += 1
        }
        guard index > first else { throw JSONError(index < count ? .syntax : .truncated, at: index) }
        if index - first > 1, unsafe bytes[first] == UInt8(ascii: "0") { throw JSONError(.syntax, at: first) }
        if index < count, unsafe bytes[index] == UInt8(ascii: ".") {
            number.isInteger = false
            index += 1
            let first = index
            while index < count, let digit = digit(index) {
                number.take(digit, &digits, isFraction: true)
                index += 1
            }
            guard index > first else { throw JSONError(index < count ? .syntax : .truncated, at: index) }
        }
        if index < count, unsafe bytes[index] | 0x20 == UInt8(ascii: "e") {
            number.isInteger = false
            index = try scanExponent(index + 1, &number)
        }
        position = index
        number.end = index
        return number
    }

    private func scanExponent(_ start: Int, _ number: inout Number) throws(JSONError) -> Int {
        var index = start
        var isNegative = false
        if index < count, unsafe bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = unsafe bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        let first = index
        var exponent = 0
        while index < count, let digit = digit(index) {
            // Beyond this the value is zero or infinite, whatever follows.
            if exponent < 1_000_000 { exponent = exponent * 10 + Int(digit) }
            index += 1
        }
        guard index > first else { throw JSONError(index < count ? .syntax : .truncated, at: index) }
        number.exponent += isNegative ? -exponent : exponent
        return index
    }

    @inline(__always)
    private func digit(_ index: Int) -> UInt8? {
        let digit = unsafe bytes[index] &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }

    /// The nearest `Double`, ties to even; `nil` beyond its range.
    @inline(__always)
    func double(_ number: Number) -> Double? {
        // Both factors exact, one rounding (Clinger's fast path).
        if !number.isInexact, number.significand <= 1 << 53, number.exponent.magnitude <= 22 {
            let scale = PowersOfTen.doubles[Int(number.exponent.magnitude)]
            let magnitude = Double(number.significand)
            let value = number.exponent < 0 ? magnitude / scale : magnitude * scale
            return number.isNegative ? -value : value
        }
        return slowDouble(number)
    }

    @inline(never)
    private func slowDouble(_ number: Number) -> Double? {
        let text = unsafe UnsafeBufferPointer(start: bytes + number.start, count: number.end - number.start)
        // The standard library's conversion is correctly rounded and knows no locale.
        guard let value = unsafe Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }
}

extension JSONReader.Number {
    @inline(__always)
    fileprivate mutating func take(_ digit: UInt8, _ digits: inout Int, isFraction: Bool) {
        if digits < 19 {
            significand = significand &* 10 &+ UInt64(digit)
            if significand != 0 { digits += 1 }
            if isFraction { exponent -= 1 }
        } else {
            if digit != 0 { isInexact = true }
            if !isFraction {
                exponent += 1
                // An integer whose digits do not fit is no exact Int64 either.
                isInexact = true
            }
        }
    }
}
