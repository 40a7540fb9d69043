internal import Positioning

/// What is plausible and what is worth sending (configuration `checks` and `reporting`).
public struct ReportingPolicy: Equatable, Sendable {
    /// Which fixes are plausible.
    public struct Checks: Equatable, Sendable {
        /// Metres; a usable accuracy above it is rejected. `nil`: no limit.
        public var maxAccuracy: Double?
        /// A fix older than this is rejected. `nil`: no limit.
        public var maxAge: Duration?
        /// How far a fix may be ahead of the trusted clock: more than any clock that is kept by NTP, and less than a
        /// wrong time zone.
        public var futureTolerance: Duration
        /// Whether (0, 0) is taken for an uninitialised receiver.
        public var rejectsNullIsland: Bool

        public init(
            maxAccuracy: Double? = 100, maxAge: Duration? = .seconds(10), futureTolerance: Duration = .seconds(300),
            rejectsNullIsland: Bool = true
        ) {
            self.maxAccuracy = maxAccuracy
            self.maxAge = maxAge
            self.futureTolerance = futureTolerance
            self.rejectsNullIsland = rejectsNullIsland
        }
    }

    /// What becomes of positions that are unreliable (SEMANTICS, "A receiver without accuracy").
    public enum Unreliable: Sendable {
        /// Sent, flagged.
        case publish
        /// Rejected and counted.
        case drop
    }

    public var checks: Checks
    public var unreliable: Unreliable
    /// No two reports are nearer in time than this.
    public var minInterval: Duration
    /// The heartbeat: while fixes come, no two reports are farther apart than this.
    public var maxInterval: Duration
    /// Metres from the last report that make a fix worth sending; 0: every fix is.
    public var minDistance: Double

    public init(
        checks: Checks = Checks(), unreliable: Unreliable = .publish, minInterval: Duration = .seconds(1),
        maxInterval: Duration = .seconds(60), minDistance: Double = 0
    ) {
        self.checks = checks
        self.unreliable = unreliable
        self.minInterval = minInterval
        self.maxInterval = maxInterval
        self.minDistance = minDistance
    }

    /// The defaults of the configuration.
    public static let standard = ReportingPolicy()

    /// Seconds within which the next report comes at the latest: the heartbeat and a slack of 15 s or a quarter,
    /// whichever is larger (WIRE.md, Time and staleness).
    public var due: Double {
        let latest = max(minInterval, maxInterval)
        return (latest + max(.seconds(15), latest / 4)).inSeconds
    }
}
