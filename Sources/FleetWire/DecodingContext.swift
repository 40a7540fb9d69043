internal import WireText

/// Where a decoder is and what it objects to, beside what the JSON reader throws.
struct DecodingContext {
    /// The key whose value is being read.
    var key: JSONWord?
    /// The objection behind an error that the JSON itself did not cause.
    private var objection: WireError.Code?
    private var missing: String?

    init() {}

    /// The error to throw for a well-formed value that cannot be.
    mutating func impossible(_ json: borrowing JSONReader) -> JSONError {
        objection = .value
        return JSONError(.type, at: json.position)
    }

    /// The error to throw for a key that is not there.
    mutating func missing(_ key: String, _ json: borrowing JSONReader) -> JSONError {
        objection = .missing
        missing = key
        return JSONError(.type, at: json.position)
    }

    /// What to tell about `error`; the context is clean again afterwards.
    mutating func report(_ error: JSONError, in message: WireError.Message) -> WireError {
        defer { self = DecodingContext() }
        if let objection { return WireError(objection, in: message, key: missing ?? key?.description) }
        switch error.code {
        case .truncated, .syntax, .string, .trailing: return WireError(.syntax, in: message)
        case .depth, .size: return WireError(.size, in: message)
        case .range: return WireError(.value, in: message, key: key?.description)
        case .type: return WireError(.type, in: message, key: key?.description)
        }
    }

    // MARK: Values that several messages have

    mutating func readVersion(_ json: inout JSONReader) throws(JSONError) -> Bool {
        guard try json.readInteger() == 1 else {
            objection = .version
            throw JSONError(.type, at: json.position)
        }
        return true
    }

    /// A count that starts at 1.
    mutating func readOrdinal(_ json: inout JSONReader) throws(JSONError) -> UInt64 {
        let value = try json.readInteger()
        guard value >= 1 else { throw impossible(json) }
        return UInt64(value)
    }

    /// A count that starts at 0.
    mutating func readCount(_ json: inout JSONReader) throws(JSONError) -> UInt64 {
        let value = try json.readInteger()
        guard value >= 0 else { throw impossible(json) }
        return UInt64(value)
    }

    mutating func readInstance(_ json: inout JSONReader) throws(JSONError) -> String {
        let text = try json.readString()
        guard (1...64).contains(text.utf8.count) else { throw impossible(json) }
        return text
    }

    /// A name like a vehicle's.
    mutating func readName(_ json: inout JSONReader) throws(JSONError) -> VehicleID {
        guard let name = try? VehicleID(try json.readString()) else { throw impossible(json) }
        return name
    }

    mutating func readTimestamp(_ json: inout JSONReader) throws(JSONError) -> Int64 {
        guard let milliseconds = try json.readTimestamp() else { throw impossible(json) }
        return milliseconds
    }
}

/// Reads one message: its form, then its members by `body`, then that nothing follows.
func decodeMessage<Result>(
    _ message: WireError.Message, _ payload: Span<UInt8>, limit: Int,
    _ body: (inout JSONReader, inout DecodingContext) throws(JSONError) -> Result
) throws(WireError) -> Result {
    guard payload.count > 0 else { throw WireError(.empty, in: message) }
    guard payload[0] == UInt8(ascii: "{") else { throw WireError(.encoding, in: message) }
    var context = DecodingContext()
    do throws(JSONError) {
        return try JSONReader.read(payload, limits: .init(size: limit)) { (json: inout JSONReader) throws(JSONError) in
            let result = try body(&json, &context)
            try json.finish()
            return result
        }
    } catch {
        // Whatever a newer version changed, its number is the clearest answer.
        if isNewer(payload, limit: limit) { throw WireError(.version, in: message, key: "v") }
        throw context.report(error, in: message)
    }
}

private func isNewer(_ payload: Span<UInt8>, limit: Int) -> Bool {
    let version = try? JSONReader.read(payload, limits: .init(size: limit)) {
        (json: inout JSONReader) throws(JSONError) in
        try json.beginObject()
        while let key = try json.nextKey() {
            if key == "v" { return try json.readInteger() }
        }
        return 1
    }
    return (version ?? 1) > 1
}
