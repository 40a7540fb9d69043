public import Positioning

/// What the retained availability topic says about a vehicle (WIRE.md, Availability).
public struct AvailabilityMessage: Equatable, Sendable {
    /// The boot before this one.
    public struct PreviousBoot: Equatable, Sendable {
        public var boot: UInt64
        /// The highest sequence number that it assigned.
        public var last: UInt64
        /// Whether that is known exactly, or a lower bound after a crash.
        public var isExact: Bool

        public init(boot: UInt64, last: UInt64, isExact: Bool) {
            self.boot = boot
            self.last = last
            self.isExact = isExact
        }
    }

    public var vehicle: VehicleID
    public var instance: String
    public var boot: UInt64
    /// Counts the connections of this boot, from 1.
    public var connection: UInt64
    /// The highest sequence number assigned in this boot; `nil` in a will.
    public var last: UInt64?
    /// Only in a birth.
    public var previous: PreviousBoot?
    public var state: AvailabilityReport
    /// Until when the agent sleeps.
    public var until: UTCInstant?
    /// When this boot's uptime was zero: it dates the reports that carry `up` only.
    public var clockOffset: UTCInstant?
    /// The agent's version.
    public var version: String?

    public init(
        vehicle: VehicleID, instance: String, boot: UInt64, connection: UInt64, last: UInt64? = nil,
        previous: PreviousBoot? = nil, state: AvailabilityReport, until: UTCInstant? = nil,
        clockOffset: UTCInstant? = nil, version: String? = nil
    ) {
        self.vehicle = vehicle
        self.instance = instance
        self.boot = boot
        self.connection = connection
        self.last = last
        self.previous = previous
        self.state = state
        self.until = until
        self.clockOffset = clockOffset
        self.version = version
    }

    /// The will of a connection: what the broker says when it loses the vehicle.
    public static func will(
        vehicle: VehicleID, instance: String, boot: UInt64, connection: UInt64
    ) -> AvailabilityMessage {
        AvailabilityMessage(
            vehicle: vehicle, instance: instance, boot: boot, connection: connection,
            state: AvailabilityReport(availability: .unavailable(.linkLost), link: .lost))
    }

    /// Whether a living agent speaks: everything but a will.
    public var isWill: Bool { state.link == .lost }
}
