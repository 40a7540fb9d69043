internal import Positioning

/// Makes positions of gpsd's reports: pure, shared by the live provider and the replay. Each device has its own
/// memory, so that reports of several, one between the other, never mix.
struct GPSDTranslator: Equatable, Sendable {
    /// What a TPV tells.
    enum Outcome: Equatable, Sendable {
        /// The first position of an epoch, or one without time.
        case fix(Location)
        /// The epoch's position again, with what a later report of the same time added or set right: until it knows a
        /// receiver's cycle, and for ever where that has no pause, gpsd 3.22 sends up to 19.
        case refined(Location)
        case noFix(UTCInstant?)
        /// A report of an epoch already told that says nothing new.
        case repeated
        /// No mode, or a mode that promises a position without one.
        case nothing
    }

    /// How much older than a position the sky view that goes with it may be, by the receiver's time and, without
    /// time, in reports.
    static let skyLifetime = Duration.seconds(10)
    static let skyReports = 10

    let accuracy: GPSDAccuracy
    private var devices = GPSDDeviceTable<GPSDDeviceMemory>()

    init(accuracy: GPSDAccuracy = GPSDAccuracy()) { self.accuracy = accuracy }

    mutating func note(_ sky: GPSDMessage.SKY) {
        devices[devices.index(of: sky.device ?? .unnamed, fresh: GPSDDeviceMemory())].note(sky)
    }

    mutating func read(_ tpv: GPSDMessage.TPV) -> Outcome {
        guard let mode = tpv.mode, (0...3).contains(mode) else { return .nothing }
        return devices[devices.index(of: tpv.device ?? .unnamed, fresh: GPSDDeviceMemory())].read(tpv, accuracy)
    }

    /// The device went: what comes from it later is of another life.
    mutating func forget(_ device: GPSDDevice) { devices.forget(device) }

    /// The best of an answer to a request for what was last seen: of `device` if it has a position, else the newest.
    static func best(
        _ tpvs: [GPSDMessage.TPV], _ skies: [GPSDMessage.SKY], of device: GPSDDevice?, accuracy: GPSDAccuracy
    ) -> Location? {
        var translator = GPSDTranslator(accuracy: accuracy)
        for sky in skies { translator.note(sky) }
        var best: Location?
        for tpv in tpvs {
            guard case .fix(let location) = translator.read(tpv) else { continue }
            if device != nil, tpv.device == device { return location }
            guard let known = best?.timestamp else {
                if best == nil || location.timestamp != nil { best = location }
                continue
            }
            if let time = location.timestamp, time > known { best = location }
        }
        return best
    }
}
