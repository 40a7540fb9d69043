internal import Positioning

/// A line of gpsd's JSON protocol, as far as it is understood; unknown classes and keys are passed over.
enum GPSDMessage: Equatable, Sendable {
    case tpv(TPV)
    case sky(SKY)
    /// gpsd's greeting, with the major version of its protocol.
    case version(major: Int?)
    /// The devices gpsd knows.
    case devices([DeviceInfo])
    /// A device came or went.
    case device(DeviceInfo?, isActive: Bool)
    /// The answer to a request for what was last seen, of every device.
    case poll([TPV], [SKY])
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
        /// Metres of the geoid above the ellipsoid.
        var geoidSeparation: Double?
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

    /// A device with its path as gpsd writes it.
    struct DeviceInfo: Equatable, Sendable {
        var device: GPSDDevice
        var path: String

        init(path: String) {
            self.path = path
            device = GPSDDevice(path: path)
        }
    }
}

extension GPSDMessage.TPV {
    /// What a later report of the same epoch says takes the place of what this one said; what it leaves out stays, and
    /// so does the position: where gpsd changes that within one time, it is already that of the next.
    mutating func merge(_ later: GPSDMessage.TPV) {
        replace(&mode, later.mode)
        replace(&status, later.status)
        if latitude == nil || longitude == nil, later.latitude != nil, later.longitude != nil {
            (latitude, longitude) = (later.latitude, later.longitude)
        }
        replace(&altitudeEllipsoid, later.altitudeEllipsoid)
        replace(&altitudeSeaLevel, later.altitudeSeaLevel)
        replace(&altitude, later.altitude)
        replace(&geoidSeparation, later.geoidSeparation)
        replace(&speed, later.speed)
        replace(&track, later.track)
        replace(&horizontalError, later.horizontalError)
        replace(&eastError, later.eastError)
        replace(&northError, later.northError)
        replace(&verticalError, later.verticalError)
        replace(&speedError, later.speedError)
        replace(&trackError, later.trackError)
    }
}

private func replace<Value>(_ value: inout Value?, _ later: Value?) { if let later { value = later } }
