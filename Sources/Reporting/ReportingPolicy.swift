public import Positioning

/// What is plausible and what is worth sending (configuration `checks` and `reporting`).
public struct ReportingPolicy: Equatable, Sendable {
    /// What becomes of positions that are unreliable (SEMANTICS, "A receiver without accuracy").
    public enum Unreliable: Sendable {
        /// Sent, flagged.
        case publish
        /// Rejected and counted.
        case drop
    }

    public var checks: Checks
    public var unreliable: Unreliable
    /// While the vehicle moves, and until it is known whether it does.
    public var moving: Profile
    /// While it is parked.
    public var stationary: Profile

    public init(
        checks: Checks = Checks(), unreliable: Unreliable = .publish, moving: Profile = .moving,
        stationary: Profile = .stationary
    ) {
        self.checks = checks
        self.unreliable = unreliable
        self.moving = moving
        self.stationary = stationary
    }

    /// The defaults of the configuration.
    public static let standard = ReportingPolicy()

    /// The profile in force.
    public func profile(_ motion: Motion?) -> Profile { motion == .stationary ? stationary : moving }
}

extension ReportingPolicy {
    /// Which fixes are plausible.
    public struct Checks: Equatable, Sendable {
        /// Metres; a usable accuracy above it is rejected. `nil`: no limit.
        public var maxAccuracy: Double?
        /// A fix older than this is rejected. `nil`: no limit.
        public var maxAge: Duration?
        /// How far a fix may be ahead of the trusted clock: more than any clock that is kept by NTP, and less than a
        /// wrong time zone.
        public var futureTolerance: Duration
        /// Metres per second, of the receiver's own speed and of the way from one fix to the next. `nil`: no limit.
        public var maxSpeed: Double?
        /// How long after the first plausible fix all are rejected.
        public var warmUp: Duration
        /// Whether (0, 0) is taken for an uninitialised receiver.
        public var rejectsNullIsland: Bool

        public init(
            maxAccuracy: Double? = 100, maxAge: Duration? = .seconds(10), futureTolerance: Duration = .seconds(300),
            maxSpeed: Double? = 90, warmUp: Duration = .zero, rejectsNullIsland: Bool = true
        ) {
            self.maxAccuracy = maxAccuracy
            self.maxAge = maxAge
            self.futureTolerance = futureTolerance
            self.maxSpeed = maxSpeed
            self.warmUp = warmUp
            self.rejectsNullIsland = rejectsNullIsland
        }
    }

    /// When the error bound sends (PERFORMANCE, "The update policy").
    public enum Prediction: String, Sendable, CaseIterable {
        /// Before the bound is left: as soon as it would be by the time a receiver can know better.
        case strict
        /// When a fix is beyond the bound: fewer messages, and the bound holds at the fixes alone.
        case lazy
    }

    /// What is worth sending in one state of motion.
    ///
    /// A fix is sent when any trigger that is switched on asks for it; ``minInterval`` holds all of them back but the error
    /// bound. Where ``sendsEveryFix`` every fix is a reason.
    public struct Profile: Equatable, Sendable {
        /// The classic triggers send no two reports nearer in time than this.
        public var minInterval: Duration
        /// The heartbeat: while fixes come, no two reports are farther apart than this.
        public var maxInterval: Duration
        /// Metres within which receivers know the position by dead reckoning; 0: off, and nothing is promised.
        public var maxError: Double
        public var prediction: Prediction
        /// Metres from the last report that make a fix worth sending; 0: off.
        public var minDistance: Double
        /// Degrees between the course and that of the last report; 0: off. It counts above ``headingSpeed`` only.
        public var minHeadingChange: Double
        /// Metres per second between the speed and that of the last report; 0: off.
        public var minSpeedChange: Double
        /// Nothing is sent but heartbeats and changes of motion, whatever the rest says.
        public var isQuiet: Bool

        /// Metres per second below which the course is noise.
        public static let headingSpeed = 2.0

        public init(
            minInterval: Duration = .seconds(1), maxInterval: Duration = .seconds(60), maxError: Double = 15,
            prediction: Prediction = .strict, minDistance: Double = 0, minHeadingChange: Double = 0,
            minSpeedChange: Double = 0, isQuiet: Bool = false
        ) {
            self.minInterval = minInterval
            self.maxInterval = maxInterval
            self.maxError = maxError
            self.prediction = prediction
            self.minDistance = minDistance
            self.minHeadingChange = minHeadingChange
            self.minSpeedChange = minSpeedChange
            self.isQuiet = isQuiet
        }

        public static let moving = Profile()
        public static let stationary = Profile(maxInterval: .seconds(300))

        /// Whether no trigger is switched on, so that each fix is sent that ``minInterval`` lets through.
        public var sendsEveryFix: Bool {
            maxError == 0 && minDistance == 0 && minHeadingChange == 0 && minSpeedChange == 0 && !isQuiet
        }

        /// Seconds within which the next report comes at the latest: the heartbeat and a slack of 15 s or a quarter,
        /// whichever is larger (WIRE.md, Time and staleness).
        public var due: Double {
            let latest = max(minInterval, maxInterval)
            return (latest + max(.seconds(15), latest / 4)).inSeconds
        }
    }
}
