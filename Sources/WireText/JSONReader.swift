/// What kind of value comes next.
public enum JSONKind: Sendable {
    case object, array, string, number, boolean, null
}

/// Pulls values out of JSON text (RFC 8259), in one pass over the bytes and without copying them.
///
/// The text is untrusted: UTF-8, escapes, numbers and structure are checked as they are read, depth and size are
/// limited, and what is wrong is thrown as ``JSONError``, never trapped on. A value that is not read is skipped by the
/// next ``nextKey()`` or ``nextElement()``, checked all the same. Keys come in the order of the text, so a duplicate
/// key is seen twice: whoever assigns what it reads lets the last one win.
///
///     try JSONReader.read(line.span) { (json: inout JSONReader) throws(JSONError) in
///         try json.beginObject()
///         while let key = try json.nextKey() {
///             switch key {
///             case "lat": latitude = try json.readDouble()
///             default: break
///             }
///         }
///         try json.finish()
///     }
@safe public struct JSONReader: ~Copyable {
    enum State { case start, value, complete }

    public struct Limits: Sendable {
        /// Bytes of the whole text.
        public var size: Int
        /// Nested arrays and objects, at most 64.
        public var depth: Int

        public init(size: Int = 1 << 20, depth: Int = 32) {
            self.size = size
            self.depth = min(depth, 64)
        }
    }

    // The reader exists only inside `read`, which keeps these bytes alive and unchanged.
    let bytes: UnsafePointer<UInt8>
    let count: Int
    /// Bytes read so far.
    public internal(set) var position = 0
    var state = State.value
    private let depthLimit: Int
    /// How many arrays and objects are open.
    public private(set) var depth = 0
    /// The kinds of the open containers, the innermost in the lowest bit: 1 for an object.
    private var containers: UInt64 = 0

    private init(_ buffer: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
        unsafe bytes = buffer.baseAddress ?? UnsafePointer(bitPattern: 1)!
        count = buffer.count
        self.depthLimit = depthLimit
    }

    /// Lends a reader of `text` to `body`.
    @inline(__always)
    public static func read<Result, Failure: Error>(
        _ text: Span<UInt8>, limits: Limits = Limits(),
        _ body: (inout JSONReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe text.withUnsafeBufferPointer { buffer throws(Failure) in
            var reader = unsafe JSONReader(buffer, depthLimit: buffer.count > limits.size ? -1 : limits.depth)
            return try body(&reader)
        }
    }

    // MARK: Structure

    /// The kind of the value that comes next.
    public mutating func kind() throws(JSONError) -> JSONKind {
        switch try valueStart() {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
        case UInt8(ascii: "n"): return .null
        default: throw JSONError(.syntax, at: position)
        }
    }

    /// Enters an object; ``nextKey()`` until `nil` leaves it.
    public mutating func beginObject() throws(JSONError) { try begin(UInt8(ascii: "{"), 1) }

    /// Enters an array; ``nextElement()`` until `false` leaves it.
    public mutating func beginArray() throws(JSONError) { try begin(UInt8(ascii: "["), 0) }

    /// The next key of the object, before whose value the reader then stands; `nil` after the last one.
    public mutating func nextKey() throws(JSONError) -> JSONWord? {
        if let key = usualKey() { return key }
        guard try advance(isObject: true, closing: UInt8(ascii: "}")) else { return nil }
        guard position < count, unsafe bytes[position] == UInt8(ascii: "\"") else { throw unexpected() }
        let key = try scanWord()
        skipSpace()
        guard position < count, unsafe bytes[position] == UInt8(ascii: ":") else { throw unexpected() }
        position += 1
        state = .value
        return key
    }

    /// The key as machines write it: short, without white space, after a value that was read; else nothing is read.
    @inline(__always)
    private mutating func usualKey() -> JSONWord? {
        var index = position
        guard index < count, containers & 1 == 1 else { return nil }
        switch state {
        case .start: break
        case .complete:
            guard unsafe bytes[index] == UInt8(ascii: ",") else { return nil }
            index &+= 1
        case .value: return nil
        }
        guard index < count, unsafe bytes[index] == UInt8(ascii: "\""), let key = shortWord(at: index &+ 1) else {
            return nil
        }
        index = index &+ key.length &+ 2
        guard index < count, unsafe bytes[index] == UInt8(ascii: ":") else { return nil }
        position = index &+ 1
        state = .value
        return key
    }

    /// Whether the array has another element, before which the reader then stands.
    public mutating func nextElement() throws(JSONError) -> Bool {
        guard try advance(isObject: false, closing: UInt8(ascii: "]")) else { return false }
        state = .value
        return true
    }

    /// Reads past a value, checking it.
    public mutating func skipValue() throws(JSONError) {
        let floor = depth
        try skipScalarOrEnter()
        while depth > floor {
            if containers & 1 == 1 {
                if try nextKey() != nil { try skipScalarOrEnter() }
            } else if try nextElement() {
                try skipScalarOrEnter()
            }
        }
    }

    /// Reads past a value and returns where its bytes are, for passing it on as it came.
    public mutating func skipValueForRange() throws(JSONError) -> Range<Int> {
        _ = try valueStart()
        let start = position
        try skipValue()
        return start..<position
    }

    /// The bytes of a range that this reader returned.
    public func copy(_ range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        return unsafe [UInt8](UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count))
    }

    /// Reads past the rest of what is open until `depth` arrays and objects are: the way out of a value in which
    /// something was found that is well-formed but wrong.
    public mutating func leave(to depth: Int) throws(JSONError) {
        while self.depth > depth {
            if containers & 1 == 1 { _ = try nextKey() } else { _ = try nextElement() }
        }
    }

    /// Checks that nothing but white space follows the value.
    public mutating func finish() throws(JSONError) {
        if state == .value { try skipValue() }
        guard depth == 0 else { throw JSONError(.type, at: position) }
        skipSpace()
        if position < count { throw JSONError(.trailing, at: position) }
    }

    private mutating func begin(_ opening: UInt8, _ bit: UInt64) throws(JSONError) {
        guard try valueStart() == opening else { throw mismatch() }
        guard depth < depthLimit else { throw JSONError(depthLimit < 0 ? .size : .depth, at: position) }
        depth += 1
        containers = containers &<< 1 | bit
        position += 1
        state = .start
    }

    /// Goes on to the next member of the innermost container, or leaves it.
    @inline(__always)
    private mutating func advance(isObject: Bool, closing: UInt8) throws(JSONError) -> Bool {
        if state == .value { try skipValue() }
        guard depth > 0, (containers & 1 == 1) == isObject else { throw JSONError(.type, at: position) }
        skipSpace()
        guard position < count else { throw JSONError(.truncated, at: position) }
        let byte = unsafe bytes[position]
        if byte == closing {
            position += 1
            depth -= 1
            containers &>>= 1
            state = .complete
            return false
        }
        guard state == .complete else { return true }
        guard byte == UInt8(ascii: ",") else { throw unexpected() }
        position += 1
        skipSpace()
        // A comma promises a member: the closing byte after it is refused by whoever reads that member.
        if position < count, unsafe bytes[position] == closing { throw JSONError(.syntax, at: position) }
        return true
    }

    private mutating func skipScalarOrEnter() throws(JSONError) {
        switch try valueStart() {
        case UInt8(ascii: "{"): try beginObject()
        case UInt8(ascii: "["): try beginArray()
        case UInt8(ascii: "\""):
            _ = try scanString()
            state = .complete
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            _ = try scanNumber()
            state = .complete
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try readBool()
        case UInt8(ascii: "n"): _ = try readNull()
        default: throw JSONError(.syntax, at: position)
        }
    }

    // MARK: Shared with the extensions

    /// The first byte of the value that comes next.
    @inline(__always)
    mutating func valueStart() throws(JSONError) -> UInt8 {
        guard depthLimit >= 0 else { throw JSONError(.size, at: count) }
        guard state == .value else { throw JSONError(.type, at: position) }
        skipSpace()
        guard position < count else { throw JSONError(.truncated, at: position) }
        return unsafe bytes[position]
    }

    @inline(__always)
    mutating func skipSpace() {
        while position < count {
            switch unsafe bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// The error for a value of another kind than asked for, or for what begins no value at all.
    func mismatch() -> JSONError {
        switch unsafe bytes[position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "t"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            JSONError(.type, at: position)
        default: JSONError(.syntax, at: position)
        }
    }

    /// The error for the byte, or the end, where the reader stands.
    func unexpected() -> JSONError { JSONError(position < count ? .syntax : .truncated, at: position) }
}
