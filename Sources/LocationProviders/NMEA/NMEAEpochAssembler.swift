internal import Positioning

/// Puts the sentences of one epoch together: however many a receiver sends, one position comes out (or the news that
/// there is none). An epoch ends when the time of day changes, or at ``finish()``.
///
/// - Accuracy is the root of the summed squares of GST's deviations in latitude and longitude (DRMS, which holds 63 to
///   68 % by the shape of the error ellipse); else HDOP times ``uere``; else unknown.
/// - Any sentence that says there is no fix decides: receivers go on repeating their last coordinates (G01).
/// - The date is RMC's. A stream without RMC, or between two of them, takes the day that brings the time of day within
///   12 h of the last dated fix or else of ``reference``.
struct NMEAEpochAssembler {
    /// User equivalent range error in metres, 68 %.
    var uere = 5.0
    /// An instant within 12 h of the first fix, where one is known.
    var reference: UTCInstant?
    private var open = OpenEpoch()

    init(uere: Double = 5, reference: UTCInstant? = nil) {
        self.uere = uere
        self.reference = reference
    }

    /// Takes a sentence; returns the epoch that it ended, if any.
    mutating func add(_ sentence: NMEASentence) -> NMEAEpoch? {
        switch sentence {
        case .rmc(let rmc):
            let ended = begin(rmc.time)
            open.add(rmc)
            return ended
        case .gga(let gga):
            let ended = begin(gga.time)
            open.add(gga)
            return ended
        case .gst(let gst):
            // Without a time it belongs to what is open.
            let ended = gst.time == nil ? nil : begin(gst.time)
            open.deviations = gst
            return ended
        case .gsa(let gsa):
            open.dimension = max(open.dimension, gsa.dimension)
            open.hdop = open.hdop ?? gsa.hdop
            return nil
        case .vtg(let vtg):
            open.course = open.course ?? vtg.course
            open.speed = open.speed ?? vtg.speed
            return nil
        }
    }

    /// Whether there is something to tell.
    var isOpen: Bool { open.isTold }

    /// Ends the open epoch: nothing more comes.
    mutating func finish() -> NMEAEpoch? {
        defer { open = OpenEpoch() }
        return result()
    }

    /// Opens the epoch of `time`. Receivers that do not know the time send void sentences without one: each stands for
    /// itself, or the loss of fix would never be told.
    private mutating func begin(_ time: Int32?) -> NMEAEpoch? {
        if let current = open.time, current == time { return nil }
        // What came before the first timed sentence belongs to it.
        if open.time == nil, !open.isTold {
            open.time = time
            return nil
        }
        defer {
            open = OpenEpoch()
            open.time = time
        }
        return result()
    }

    private mutating func result() -> NMEAEpoch? {
        guard open.isTold else { return nil }
        guard !open.isVoid, open.dimension != 1, let coordinate = open.coordinate else {
            return .noFix(open.time.flatMap { Self.instant(day: nil, time: $0, near: reference) })
        }
        var location = Location(coordinate: coordinate)
        location.timestamp = open.time.flatMap { Self.instant(day: open.day, time: $0, near: reference) }
        reference = location.timestamp ?? reference
        location.source = "nmea"
        location.fix = open.fix
        location.isSimulated = open.quality == 8 || open.mode == .simulator
        location.satellitesUsed = open.satellites
        location.hdop = open.hdop.flatMap { $0 > 0 ? $0 : nil }
        location.horizontalAccuracy = horizontalAccuracy
        location.altitude = open.altitude
        if open.altitude != nil, let deviation = open.deviations?.altitude, deviation > 0 {
            location.verticalAccuracy = deviation
        }
        location.course = open.course
        location.speed = open.speed
        return .fix(location)
    }

    private var horizontalAccuracy: Double? {
        if let north = open.deviations?.latitude, let east = open.deviations?.longitude, north > 0 || east > 0 {
            return (north * north + east * east).squareRoot()
        }
        guard let hdop = open.hdop, hdop > 0 else { return nil }
        return hdop * uere
    }

    /// The instant at `time` milliseconds since midnight: of `day` where that is known, else of the day that brings it
    /// within 12 h of `reference`.
    static func instant(day: Int32?, time: Int32, near reference: UTCInstant?) -> UTCInstant? {
        let length = CivilDate.millisecondsPerDay
        if let day { return UTCInstant(milliseconds: Int64(day) * length + Int64(time)) }
        guard let reference else { return nil }
        let midnight = reference.milliseconds - (reference.milliseconds % length + length) % length
        var instant = midnight + Int64(time)
        if instant - reference.milliseconds > length / 2 { instant -= length }
        if reference.milliseconds - instant > length / 2 { instant += length }
        return UTCInstant(milliseconds: instant)
    }
}

/// What the sentences of the current epoch said so far.
private struct OpenEpoch {
    var time: Int32?
    /// Whether an RMC or a GGA came.
    var isTold = false
    var isVoid = false
    var coordinate: Coordinate?
    var day: Int32?
    var mode: NMEAMode?
    var quality: UInt8 = 0
    /// The best of the GSA sentences, one per constellation; 0 when none came.
    var dimension: UInt8 = 0
    var satellites: Int?
    var hdop: Double?
    var altitude: Double?
    var course: Double?
    var speed: Double?
    var deviations: NMEASentence.GST?

    mutating func add(_ rmc: NMEASentence.RMC) {
        isTold = true
        guard rmc.isValid else {
            isVoid = true
            return
        }
        coordinate = coordinate ?? rmc.coordinate
        day = rmc.day ?? day
        mode = rmc.mode ?? mode
        course = rmc.course ?? course
        speed = rmc.speed ?? speed
    }

    mutating func add(_ gga: NMEASentence.GGA) {
        isTold = true
        guard gga.quality > 0 else {
            isVoid = true
            return
        }
        // GGA has the most decimals where they differ.
        coordinate = gga.coordinate ?? coordinate
        quality = gga.quality
        satellites = gga.satellites ?? satellites
        hdop = gga.hdop ?? hdop
        altitude = gga.altitude ?? altitude
    }

    /// GGA's quality before RMC's mode, and GSA's dimension where they only say that there is a fix.
    var fix: FixType {
        switch (quality, mode) {
        case (2, _): .differential
        case (4, _): .rtkFixed
        case (5, _): .rtkFloat
        case (6, _), (_, .estimated): .deadReckoning
        case (7, _), (_, .manual): .manual
        case (_, .differential): .differential
        case (_, .rtkFixed): .rtkFixed
        case (_, .rtkFloat): .rtkFloat
        default: dimension == 2 ? .twoD : dimension == 3 ? .threeD : .unknown
        }
    }
}
