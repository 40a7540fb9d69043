/// Why bytes are not the XML that can be read.
public struct XMLError: Error, Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        /// Not well-formed; what the parser says about it.
        case malformed(String)
        /// The text ends before its root element does.
        case truncated
        /// It declares entities, which can make little text large or fetch other files.
        case entities
        /// A tag, an attribute or a comment longer than ``XMLStream/longestToken``.
        case tooLong
        /// The parser got no memory.
        case memory
    }

    public var reason: Reason
    /// Counted from 1.
    public var line: Int

    public init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }
}
