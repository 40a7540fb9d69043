public import Positioning

/// How an agent fares: counters since its boot (WIRE.md, Health). What is `nil` the agent does not know.
public struct HealthMessage: Equatable, Sendable {
    /// The reports that wait for the broker.
    public struct Queue: Equatable, Sendable {
        public var reports: UInt64
        /// Bytes on disk, with the history of those that were acknowledged.
        public var bytes: UInt64?
        /// Seconds since the oldest of them was made.
        public var oldest: Double?
        /// Reports that were lost because the queue was full or they were too old, since the boot.
        public var dropped: UInt64
        /// Reports that the broker refused for what they are; they are kept and not sent again.
        public var aside: UInt64

        public init(
            reports: UInt64, bytes: UInt64? = nil, oldest: Double? = nil, dropped: UInt64, aside: UInt64 = 0
        ) {
            self.reports = reports
            self.bytes = bytes
            self.oldest = oldest
            self.dropped = dropped
            self.aside = aside
        }
    }

    /// What went to the broker.
    public struct Sent: Equatable, Sendable {
        public var live: UInt64
        public var track: UInt64
        /// Estimated with all framing, since the boot.
        public var bytes: UInt64

        public init(live: UInt64, track: UInt64, bytes: UInt64) {
            self.live = live
            self.track = track
            self.bytes = bytes
        }
    }

    public struct Link: Equatable, Sendable {
        public var connects: UInt64
        public var lost: UInt64
        /// Seconds from a report to its acknowledgement, 95th percentile.
        public var roundTrip: Double?

        public init(connects: UInt64, lost: UInt64, roundTrip: Double? = nil) {
            self.connects = connects
            self.lost = lost
            self.roundTrip = roundTrip
        }
    }

    /// The data budget of the day.
    public struct Budget: Equatable, Sendable {
        /// Bytes.
        public var perDay: UInt64
        /// Bytes in this day.
        public var used: UInt64
        /// What the bound is multiplied with while the budget runs short; 1: nothing is.
        public var factor: Double
        /// Whether nothing but heartbeats and changes of motion is sent.
        public var isExhausted: Bool

        public init(perDay: UInt64, used: UInt64, factor: Double, isExhausted: Bool) {
            self.perDay = perDay
            self.used = used
            self.factor = factor
            self.isExhausted = isExhausted
        }
    }

    /// How many fixes a rule rejected.
    public struct Rejected: Equatable, Sendable {
        public var rule: String
        public var count: UInt64

        public init(rule: String, count: UInt64) {
            self.rule = rule
            self.count = count
        }
    }

    public var vehicle: VehicleID
    public var instance: String
    public var boot: UInt64
    /// The highest sequence number so far.
    public var last: UInt64
    public var time: UTCInstant?
    /// Seconds since the boot.
    public var uptime: Double
    public var version: String
    public var fix: FixType = .unknown
    public var satellites: Int?
    public var queue: Queue?
    /// In the order of the checks; rules that rejected nothing are left out.
    public var rejected: [Rejected] = []
    public var sent: Sent?
    public var link: Link?
    public var budget: Budget?
    /// Seconds of CPU time since the boot.
    public var cpu: Double?
    /// Bytes of resident memory.
    public var resident: UInt64?

    public init(
        vehicle: VehicleID, instance: String, boot: UInt64, last: UInt64, time: UTCInstant?, uptime: Double,
        version: String
    ) {
        self.vehicle = vehicle
        self.instance = instance
        self.boot = boot
        self.last = last
        self.time = time
        self.uptime = uptime
        self.version = version
    }
}
