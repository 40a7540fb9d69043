/// Why a fix was rejected; the raw value is the key in counters and health messages.
public enum RejectionRule: String, Sendable, CaseIterable {
    /// Its time is that of the newest accepted fix.
    case duplicate
    /// Its time is before that of the newest accepted fix.
    case outOfOrder
    /// Its time is ahead of the trusted clock.
    case future
    /// It is too old.
    case stale
    /// Both axes are almost 0: an uninitialised receiver.
    case nullIsland
    /// Its accuracy is worse than the limit.
    case inaccurate
    /// It is unreliable and the policy drops those.
    case unreliable
}

/// A rejected fix: by which rule, and the number that broke it.
public struct Rejection: Error, Equatable, Sendable {
    public var rule: RejectionRule
    /// Seconds behind the newest fix (`duplicate`, `outOfOrder`), ahead of the clock (`future`) or of age (`stale`);
    /// degrees off the axes (`nullIsland`); metres (`inaccurate`); the reasons' raw value (`unreliable`).
    public var value: Double
    /// What `value` is measured against, in the same unit.
    public var threshold: Double

    public init(rule: RejectionRule, value: Double, threshold: Double) {
        self.rule = rule
        self.value = value
        self.threshold = threshold
    }
}
