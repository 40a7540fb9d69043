/// When a vehicle says that it has no position (configuration `availability`).
public struct AvailabilityPolicy: Equatable, Sendable {
    /// How long a loss of fix or accuracy must last to be told.
    public var fixLossDelay: Duration
    /// How long no acceptable fix may come from a provider that says it is available, before it is `stale`: three times
    /// the default maximum age of a fix.
    public var staleAfter: Duration

    public init(fixLossDelay: Duration = .seconds(10), staleAfter: Duration = .seconds(30)) {
        self.fixLossDelay = fixLossDelay
        self.staleAfter = staleAfter
    }

    /// The defaults of the configuration.
    public static let standard = AvailabilityPolicy()
}
