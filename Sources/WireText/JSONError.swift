/// Why bytes are not the JSON that was asked for.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable {
        /// The text ends in the middle of a value.
        case truncated
        /// A byte that RFC 8259 does not allow in this place: leading zeros, NaN, a trailing comma, …
        case syntax
        /// A string that is not UTF-8, holds a bare control character or half a surrogate pair.
        case string
        /// Arrays and objects nested deeper than the limit.
        case depth
        /// More bytes than the limit.
        case size
        /// A number beyond what the asked type holds.
        case range
        /// A value of another kind than asked for; the reader still stands before it.
        case type
        /// Something follows the value.
        case trailing
    }

    public var code: Code
    /// Bytes from the start of the text to where it shows.
    public var offset: Int

    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    public var description: String { "\(code.rawValue) at byte \(offset)" }
}
