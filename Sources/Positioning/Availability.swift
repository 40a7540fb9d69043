/// Whether a provider delivers current positions. It collapses to `Bool` for the S1 interface: `unknown` and
/// `unavailable` are false (SEMANTICS rule 4).
public enum Availability: Hashable, Sendable {
    /// Nothing was reported yet.
    case unknown
    case available
    case unavailable(UnavailabilityReason)

    public var isAvailable: Bool { self == .available }
}

/// Why a provider or a vehicle is unavailable; the raw value is the word on the wire (WIRE.md, Availability).
public struct UnavailabilityReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The broker lost the vehicle (its will), or this subscriber lost the broker.
    public static let linkLost = UnavailabilityReason(rawValue: "linkLost")
    /// The agent was stopped on purpose.
    public static let stopped = UnavailabilityReason(rawValue: "stopped")
    /// The agent sleeps and says until when.
    public static let sleeping = UnavailabilityReason(rawValue: "sleeping")
    /// The driver asked for privacy.
    public static let `private` = UnavailabilityReason(rawValue: "private")
    /// The source cannot be reached (gpsd gone, serial port unplugged, replay at its end).
    public static let providerDown = UnavailabilityReason(rawValue: "providerDown")
    /// The platform denies access to the source.
    public static let permissionDenied = UnavailabilityReason(rawValue: "permissionDenied")
    /// The source is there but has no fix.
    public static let noFix = UnavailabilityReason(rawValue: "noFix")
    /// The source delivers positions without a usable accuracy (rule 1).
    public static let noAccuracy = UnavailabilityReason(rawValue: "noAccuracy")
    /// Nothing came for longer than was promised (rule 18).
    public static let stale = UnavailabilityReason(rawValue: "stale")
    /// No trusted clock can date positions (rule 17).
    public static let clock = UnavailabilityReason(rawValue: "clock")
}
