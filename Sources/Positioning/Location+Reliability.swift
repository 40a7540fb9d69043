extension Location {
    /// Half the equator, pi x 6 378 137 m: an accuracy at or above it says "somewhere on Earth", which is reliable for
    /// any correct coordinate (S1, SEMANTICS rule 2).
    public static let halfEquator = 20_037_508.342789244

    /// What the position itself shows: rules 1 to 3 of SEMANTICS and a source that says it has no fix.
    public var intrinsicUnreliability: UnreliableReasons {
        var reasons: UnreliableReasons = []
        if !hasUsableAccuracy { reasons.insert(.accuracy) }
        if !coordinate.isCorrect { reasons.insert(.coordinate) }
        if fix == .none { reasons.insert(.noFix) }
        return reasons
    }

    /// Whether the horizontal accuracy is present, finite and above zero (rule 1).
    public var hasUsableAccuracy: Bool {
        guard let horizontalAccuracy else { return false }
        return horizontalAccuracy.isFinite && horizontalAccuracy > 0
    }

    /// The reasons of a position delivered while the provider's availability was `availability` (rules 1 to 5), kept
    /// together with those the source already gave.
    public func unreliability(while availability: Availability) -> UnreliableReasons {
        var reasons = unreliable.union(intrinsicUnreliability)
        if !availability.isAvailable { reasons.insert(.providerUnavailable) }
        return reasons
    }
}
