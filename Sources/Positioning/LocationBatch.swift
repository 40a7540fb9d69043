/// Positions that a source handed over together, oldest to newest (SEMANTICS rule 12): the last is the current one, and
/// all of them belong to whoever records history. Never empty.
public struct LocationBatch: Equatable, Sendable {
    /// The positions as the source ordered them.
    public let locations: [Location]

    /// Throws ``EmptyLocationBatch`` for no positions at all: to be warned of and ignored.
    public init(_ locations: [Location]) throws(EmptyLocationBatch) {
        guard let last = locations.last else { throw EmptyLocationBatch() }
        self.locations = locations
        current = last
    }

    /// The newest position.
    public let current: Location
}

/// The warning that a source handed over a batch without positions; nothing changes by it.
public struct EmptyLocationBatch: Error, Equatable, CustomStringConvertible {
    public init() {}

    public var description: String { "a source delivered an empty batch of positions; it is ignored" }
}
