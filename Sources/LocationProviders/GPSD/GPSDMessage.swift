internal import Positioning

/// A line of gpsd's JSON protocol, as far as it is understood; unknown classes and keys are passed over.
enum GPSDMessage: Equatable, Sendable {
    case tpv(TPV)
    case sky(SKY)
    /// gpsd's greeting, with the major version of its protocol.
    case version(major: Int?)
    /// The devices gpsd knows, counted.
    case devices(Int)
    /// A device came or went.
    case device(GPSDDevice?, isActive: Bool)
    /// gpsd did not understand a request.
    case error
    case other

    /// Time, position, velocity. Everything but `mode` is optional, and what has another type than it should is absent.
    struct TPV: Equatable, Sendable {
        var device: GPSDDevice?
        /// 0 unknown, 1 none, 2 two-dimensional, 3 three-dimensional.
        var mode: Int64?
        var status: Int64?
        var time: UTCInstant?
        /// Degrees.
        var latitude: Double?
        var longitude: Double?
        /// Metres above the ellipsoid, above mean sea level, and the older key that means the latter.
        var altitudeEllipsoid: Double?
        var altitudeSeaLevel: Double?
        var altitude: Double?
        /// Metres per second, and degrees true.
        var speed: Double?
        var track: Double?
        /// Error estimates at 95 %: metres, metres per second, degrees.
        var horizontalError: Double?
        var eastError: Double?
        var northError: Double?
        var verticalError: Double?
        var speedError: Double?
        var trackError: Double?
    }

    /// What is used of the sky view.
    struct SKY: Equatable, Sendable {
        var device: GPSDDevice?
        var hdop: Double?
        var satellitesUsed: Int64?
    }
}

/// A device's path as a number: paths need only be told apart (FNV-1a, 64 bits).
struct GPSDDevice: Hashable, Sendable {
    let digest: UInt64

    init(_ path: Span<UInt8>) {
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        for index in path.indices { digest = (digest ^ UInt64(path[index])) &* 0x100_0000_01b3 }
        self.digest = digest
    }
}
