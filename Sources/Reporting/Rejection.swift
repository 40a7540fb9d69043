/// Why a fix was rejected, in the order in which the rules judge; the raw value is the key in counters and health messages.
public enum RejectionRule: String, Sendable, CaseIterable {
    /// Its time is that of the newest accepted fix.
    case duplicate
    /// Its time is before that of the newest accepted fix.
    case outOfOrder
    /// Its date is before the build date, and no clock is trusted that could say more.
    case date
    /// Its time is ahead of the trusted clock.
    case future
    /// It is too old.
    case stale
    /// Both axes are almost 0: an uninitialised receiver.
    case nullIsland
    /// Its accuracy is worse than the limit.
    case inaccurate
    /// The receiver has only begun.
    case warmUp
    /// Its speed is more than the vehicle can have.
    case speed
    /// It is farther from the last one than the vehicle can have come.
    case jump
    /// Its place does not change though its speed says that it moves.
    case frozen
    /// It is unreliable and the policy drops those.
    case unreliable
}

/// A rejected fix: by which rule, and the number that broke it.
public struct Rejection: Error, Equatable, Sendable {
    public var rule: RejectionRule
    /// Seconds behind the newest fix (`duplicate`, `outOfOrder`), before the build date (`date`), ahead of the clock
    /// (`future`), of age (`stale`), since the first fix (`warmUp`) or without a change (`frozen`); degrees off the axes
    /// (`nullIsland`); metres (`inaccurate`); metres per second (`speed`, `jump`); the reasons' raw value (`unreliable`).
    public var value: Double
    /// What `value` is measured against, in the same unit.
    public var threshold: Double

    public init(rule: RejectionRule, value: Double, threshold: Double) {
        self.rule = rule
        self.value = value
        self.threshold = threshold
    }
}
