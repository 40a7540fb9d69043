internal import Positioning

/// What the sentences of one epoch said so far. Of the variants that several talkers send of one sentence, GN's counts;
/// else the first that has a fix.
struct NMEAOpenEpoch: Sendable {
    /// Milliseconds since midnight, of the first sentence that told it.
    var time: Int32?
    private var rmc: Variant<NMEASentence.RMC>?
    private var gga: Variant<NMEASentence.GGA>?
    private var gns: Variant<NMEASentence.GNS>?
    private var gll: Variant<NMEASentence.GLL>?
    private var vtg: Variant<NMEASentence.VTG>?
    private var gst: NMEASentence.GST?
    /// Of the GSA sentences, one per constellation.
    private(set) var precision = NMEAPrecision()
    private var listedSatellites = 0

    /// Whether a sentence came that tells a position or the lack of one.
    private(set) var isTold = false

    /// A sentence as one of its talkers said it.
    private struct Variant<Sentence: Sendable>: Sendable {
        var sentence: Sentence
        var talker: NMEATalker
        var isValid: Bool

        /// Whether another talker's variant counts instead, or the same talker's newer one.
        func yields(to talker: NMEATalker, isValid: Bool) -> Bool {
            if talker == self.talker || talker == .combined { return true }
            return self.talker != .combined && isValid && !self.isValid
        }
    }

    /// Adds a sentence that belongs to this epoch.
    @inline(__always)
    mutating func add(_ sentence: NMEASentence, _ talker: NMEATalker) {
        switch sentence {
        case .rmc(let rmc):
            isTold = true
            Self.put(rmc, talker, rmc.isValid, in: &self.rmc)
        case .gga(let gga):
            isTold = true
            Self.put(gga, talker, gga.quality > 0, in: &self.gga)
        case .gns(let gns):
            isTold = true
            Self.put(gns, talker, gns.mode != nil, in: &self.gns)
        case .gll(let gll):
            isTold = true
            Self.put(gll, talker, gll.isValid, in: &self.gll)
        case .vtg(let vtg): Self.put(vtg, talker, vtg.mode != .invalid, in: &self.vtg)
        case .gsa(let gsa):
            precision.dimension = max(precision.dimension, gsa.dimension)
            precision.hdop = precision.hdop ?? Self.usable(gsa.hdop)
            listedSatellites += Int(gsa.satellites)
        case .gst(let gst): self.gst = gst
        case .gsv, .zda, .heading: break
        }
    }

    @inline(__always)
    private static func put<Sentence: Sendable>(
        _ sentence: Sentence, _ talker: NMEATalker, _ isValid: Bool, in variant: inout Variant<Sentence>?
    ) {
        if let known = variant, !known.yields(to: talker, isValid: isValid) { return }
        variant = Variant(sentence: sentence, talker: talker, isValid: isValid)
    }

    /// Receivers write 99.9 or 99.99 for none.
    private static func usable(_ hdop: Double?) -> Double? {
        guard let hdop, hdop > 0, hdop < 99 else { return nil }
        return hdop
    }
}

// What the sentences say together.
extension NMEAOpenEpoch {
    /// What an earlier epoch's GSA said holds where this one has none.
    mutating func hold(_ earlier: NMEAPrecision) {
        if precision.dimension == 0 { precision = earlier }
    }

    /// Any sentence that says there is no fix decides: receivers go on repeating their last coordinates (G01).
    var hasFix: Bool {
        guard precision.dimension != 1, rmc?.isValid != false, gga?.isValid != false, gns?.isValid != false,
            gll?.isValid != false
        else { return false }
        // Fewer than three satellites make no fix: some receivers claim one when they start. Another sentence that has it
        // counts more than their number.
        guard let gga, rmc == nil, gns == nil, gll == nil, precision.dimension == 0, gga.sentence.quality <= 5 else {
            return true
        }
        return gga.sentence.satellites.map { $0 >= 3 } ?? true
    }

    /// The date of the sentence that has one.
    var day: Int32? { rmc?.sentence.day }

    /// Without time, accuracy and heading; `nil` where there is no fix.
    func location(uere: Double) -> Location? {
        guard hasFix,
            // GGA and GNS have the most decimals where they differ.
            let coordinate = gga?.sentence.coordinate ?? gns?.sentence.coordinate ?? rmc?.sentence.coordinate
                ?? gll?.sentence.coordinate
        else { return nil }
        var location = Location(coordinate: coordinate)
        location.source = "nmea"
        location.isSimulated = isSimulated
        location.satellitesUsed = satellites
        location.hdop = Self.usable(gga?.sentence.hdop) ?? Self.usable(gns?.sentence.hdop) ?? precision.hdop
        location.horizontalAccuracy = deviation ?? location.hdop.map { $0 * uere }
        // In two dimensions the receiver holds on to an older altitude, or to one that it was given.
        if !isFlat {
            location.altitude = gga?.sentence.altitude ?? gns?.sentence.altitude
            if location.altitude != nil, let altitude = gst?.altitude, altitude > 0 {
                location.verticalAccuracy = altitude
            }
        }
        location.geoidSeparation = gga?.sentence.geoidSeparation ?? gns?.sentence.geoidSeparation
        location.course = rmc?.sentence.course ?? vtg?.sentence.course
        location.speed = rmc?.sentence.speed ?? vtg?.sentence.speed
        location.fix = fix(hasAltitude: location.altitude != nil)
        return location
    }

    /// Metres: the root of the summed squares of GST's deviations north and east (DRMS, which holds 63 to 68 % by the
    /// shape of the error ellipse).
    private var deviation: Double? {
        guard let north = gst?.latitude, let east = gst?.longitude, north > 0 || east > 0 else { return nil }
        return (north * north + east * east).squareRoot()
    }

    /// GGA tells 12 of more; the GSA sentences list them all, yet some receivers list them once per talker.
    private var satellites: Int? {
        if let satellites = gns?.sentence.satellites { return satellites }
        guard let satellites = gga?.sentence.satellites else { return nil }
        return satellites == 12 ? max(12, listedSatellites) : satellites
    }

    private var mode: NMEAMode? {
        rmc?.sentence.mode ?? gns?.sentence.mode ?? gll?.sentence.mode ?? vtg?.sentence.mode
    }

    private var isSimulated: Bool { gga?.sentence.quality == 8 || mode == .simulator }

    /// GGA's quality before the mode of the others; where they only say that there is a fix, GSA's dimension, else
    /// whether there is an altitude.
    private func fix(hasAltitude: Bool) -> FixType {
        switch (gga?.sentence.quality, mode) {
        case (2, _): .differential
        case (4, _): .rtkFixed
        case (5, _): .rtkFloat
        case (6, _), (_, .estimated): .deadReckoning
        case (7, _), (_, .manual): .manual
        case (_, .differential): .differential
        case (_, .rtkFixed): .rtkFixed
        case (_, .rtkFloat): .rtkFloat
        default: precision.dimension == 3 || !isFlat && hasAltitude ? .threeD : .twoD
        }
    }

    /// Whether the fix has two dimensions only: GSA says so, or where none came three satellites.
    private var isFlat: Bool {
        if precision.dimension > 0 { return precision.dimension == 2 }
        guard let gga = gga?.sentence, gga.quality <= 5, gns == nil else { return false }
        return gga.satellites == 3
    }
}
