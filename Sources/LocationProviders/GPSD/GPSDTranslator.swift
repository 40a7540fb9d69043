internal import Positioning

/// gpsd's error estimates as this project's accuracies.
///
/// gpsd's `eph` and its like are 95 % figures (and `eph` is 19 x HDOP whatever the receiver says); ours are 68 % radii
/// and standard deviations.
public struct GPSDAccuracy: Equatable, Sendable {
    /// 68 % radius over 95 % radius of a circular normal error, 1.515 / 2.447.
    public var horizontalFactor: Double
    /// One deviation over the 95 % half-width of a normal error, 1 / 1.96.
    public static let linearFactor = 0.51

    public init(horizontalFactor: Double = 0.62) { self.horizontalFactor = horizontalFactor }
}

/// Makes positions of gpsd's reports: pure, shared by the live provider and the replay.
struct GPSDTranslator: Equatable, Sendable {
    /// What a TPV tells.
    enum Outcome: Equatable, Sendable {
        case fix(Location)
        case noFix(UTCInstant?)
        /// One more report of an epoch already told: gpsd sends up to seven until it knows the receiver's cycle.
        case repeated
        /// No mode, or a mode that promises a position without one.
        case nothing
    }

    /// Reports after which a sky view is too old to go with them.
    static let skyLifetime = 10

    let accuracy: GPSDAccuracy
    /// Of the last position told.
    private var lastDevice: GPSDDevice?
    private var lastTime: UTCInstant?
    private var sky = GPSDMessage.SKY()
    private var skyAge = GPSDTranslator.skyLifetime

    init(accuracy: GPSDAccuracy = GPSDAccuracy()) { self.accuracy = accuracy }

    mutating func note(_ sky: GPSDMessage.SKY) {
        // 3.22 sends one without DOPs per constellation group; it says nothing new.
        guard sky.hdop != nil || sky.satellitesUsed != nil else { return }
        self.sky = sky
        skyAge = 0
    }

    mutating func read(_ tpv: GPSDMessage.TPV) -> Outcome {
        switch tpv.mode {
        case 0, 1:
            lastTime = nil
            return .noFix(tpv.time)
        case 2, 3: break
        default: return .nothing
        }
        guard let latitude = tpv.latitude, let longitude = tpv.longitude else { return .nothing }
        if let time = tpv.time {
            if lastTime == time, lastDevice == tpv.device { return .repeated }
            (lastDevice, lastTime) = (tpv.device, time)
        }
        var location = Location(coordinate: Coordinate(latitude: latitude, longitude: longitude))
        location.timestamp = tpv.time
        location.source = "gpsd"
        location.horizontalAccuracy = horizontalAccuracy(tpv)
        setAltitude(tpv, &location)
        if let speed = tpv.speed, speed >= 0 {
            location.speed = speed
            location.speedAccuracy = deviation(tpv.speedError)
        }
        if let track = tpv.track, track >= 0, track <= 360 {
            location.course = track == 360 ? 0 : track
            location.courseAccuracy = deviation(tpv.trackError)
        }
        setFix(tpv, &location)
        if skyAge < Self.skyLifetime, sky.device == tpv.device {
            skyAge += 1
            location.hdop = sky.hdop.flatMap { $0 > 0 ? $0 : nil }
            location.satellitesUsed = sky.satellitesUsed.flatMap { (0...1000).contains($0) ? Int($0) : nil }
        }
        return .fix(location)
    }

    /// Whether the last position, if any, came from `device`.
    func follows(_ device: GPSDDevice?) -> Bool { lastDevice == nil || device == nil || lastDevice == device }

    private func horizontalAccuracy(_ tpv: GPSDMessage.TPV) -> Double? {
        if let error = tpv.horizontalError, error > 0 { return error * accuracy.horizontalFactor }
        guard let east = tpv.eastError, let north = tpv.northError, east >= 0, north >= 0, east + north > 0 else {
            return nil
        }
        return (east * east + north * north).squareRoot() * accuracy.horizontalFactor
    }

    private func deviation(_ error: Double?) -> Double? {
        error.flatMap { $0 > 0 ? $0 * GPSDAccuracy.linearFactor : nil }
    }

    /// In mode 2 the altitude is a left-over.
    private func setAltitude(_ tpv: GPSDMessage.TPV, _ location: inout Location) {
        guard tpv.mode == 3 else { return }
        if let altitude = tpv.altitudeSeaLevel ?? (tpv.altitudeEllipsoid == nil ? tpv.altitude : nil) {
            location.altitude = altitude
            location.altitudeReference = .meanSeaLevel
        } else if let altitude = tpv.altitudeEllipsoid {
            location.altitude = altitude
            location.altitudeReference = .wgs84Ellipsoid
        } else {
            return
        }
        location.verticalAccuracy = deviation(tpv.verticalError)
    }

    private func setFix(_ tpv: GPSDMessage.TPV, _ location: inout Location) {
        switch tpv.status {
        case 2: location.fix = .differential
        case 3: location.fix = .rtkFixed
        case 4: location.fix = .rtkFloat
        case 5: location.fix = .deadReckoning
        case 7: location.fix = .manual
        default: location.fix = tpv.mode == 3 ? .threeD : .twoD
        }
        location.isSimulated = tpv.status == 8
    }
}
