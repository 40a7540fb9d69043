/// Why NMEA input was not used, counted; each sentence counts once.
public struct NMEARejections: Equatable, Sendable {
    /// Sentences without `*hh`.
    public var noChecksum: UInt64 = 0
    /// Sentences whose `*hh` does not match.
    public var badChecksum: UInt64 = 0
    /// Sentences with a right checksum and a damaged field.
    public var badField: UInt64 = 0
    /// RMC that says its position is not valid, and GGA of quality 0.
    public var void: UInt64 = 0
    /// RMC whose status is neither A nor V.
    public var unknownStatus: UInt64 = 0
    /// Lines longer than any sentence.
    public var tooLong: UInt64 = 0

    public init() {}
}
