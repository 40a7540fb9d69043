/// Why a position must not be relied on; empty for a reliable one. It is a property of the position as made by its
/// provider and travels with it (SEMANTICS rule 19).
public struct UnreliableReasons: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Horizontal accuracy is missing, not finite, or not above zero (rule 1).
    public static let accuracy = UnreliableReasons(rawValue: 1)
    /// The coordinate cannot be a place (rule 3).
    public static let coordinate = UnreliableReasons(rawValue: 2)
    /// Delivered while the provider was not available, or before it said so (rules 4 and 5).
    public static let providerUnavailable = UnreliableReasons(rawValue: 4)
    /// The source says it has no fix.
    public static let noFix = UnreliableReasons(rawValue: 8)
    /// No trusted clock could date it (rule 17).
    public static let clock = UnreliableReasons(rawValue: 16)
    /// A reason that a newer version of the protocol added; the position is unreliable all the same.
    public static let other = UnreliableReasons(rawValue: 128)
}
