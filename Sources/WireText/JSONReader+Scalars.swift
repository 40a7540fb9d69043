extension JSONReader {
    /// Reads a number, correctly rounded; one beyond the range of `Double` is refused, one too small becomes 0.
    public mutating func readDouble() throws(JSONError) -> Double {
        try expectNumber()
        let number = try scanNumber()
        guard let value = double(number) else { throw refuse(.range, number) }
        state = .complete
        return value
    }

    /// Reads an integer exactly. `75.0` and `7.5e1` are integers too, as long as a `Double` holds them exactly; a
    /// fraction is refused as another kind, an integer beyond `Int64` as out of range.
    public mutating func readInteger() throws(JSONError) -> Int64 {
        try expectNumber()
        let number = try scanNumber()
        if let value = number.integer {
            state = .complete
            return value
        }
        let value = double(number) ?? .infinity
        guard !number.isInteger, value.magnitude < 9_007_199_254_740_992 else {
            throw refuse(.range, number)
        }
        guard let integer = Int64(exactly: value) else { throw refuse(.type, number) }
        state = .complete
        return integer
    }

    /// Reads `true` or `false`.
    public mutating func readBool() throws(JSONError) -> Bool {
        switch try valueStart() {
        case UInt8(ascii: "t"):
            try expect("true")
            return true
        case UInt8(ascii: "f"):
            try expect("false")
            return false
        default: throw mismatch()
        }
    }

    /// Reads a `null` where one comes next, and tells whether it did.
    public mutating func readNull() throws(JSONError) -> Bool {
        // Whatever stands here at once and is neither space nor `n` is another value, or will be refused as one.
        if position < count, state == .value, unsafe bytes[position] > 0x20, unsafe bytes[position] != UInt8(ascii: "n")
        {
            return false
        }
        guard try valueStart() == UInt8(ascii: "n") else { return false }
        try expect("null")
        return true
    }

    /// Goes back before a number that is well-formed but not what was asked for.
    private mutating func refuse(_ code: JSONError.Code, _ number: Number) -> JSONError {
        position = number.start
        return JSONError(code, at: number.start)
    }

    private mutating func expectNumber() throws(JSONError) {
        switch try valueStart() {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return
        default: throw mismatch()
        }
    }

    private mutating func expect(_ literal: StaticString) throws(JSONError) {
        for index in 0..<literal.utf8CodeUnitCount {
            guard position + index < count, unsafe bytes[position + index] == literal.utf8Start[index] else {
                position = min(position + index, count)
                throw unexpected()
            }
        }
        position += literal.utf8CodeUnitCount
        state = .complete
    }
}
