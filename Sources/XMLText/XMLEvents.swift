/// What a piece of XML held, in its order: elements' names without their prefixes, and text.
public struct XMLEvents: Sendable {
    public enum Event: Equatable, Sendable {
        /// An element begins in `line`; `attributes` are indices of ``XMLEvents/attributes``.
        case start(name: Range<Int>, attributes: Range<Int>, line: Int)
        case end
        case text(Range<Int>)
    }

    /// What the ranges in here are ranges of; UTF-8.
    public internal(set) var bytes: [UInt8] = []
    public internal(set) var list: [Event] = []
    public internal(set) var attributes: [(name: Range<Int>, value: Range<Int>)] = []

    public init() {}

    /// Whether the bytes at `range` are `word`.
    public func isEqual(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for (offset, index) in range.enumerated() where unsafe bytes[index] != word.utf8Start[offset] { return false }
        return true
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        list.removeAll(keepingCapacity: true)
        attributes.removeAll(keepingCapacity: true)
    }
}
