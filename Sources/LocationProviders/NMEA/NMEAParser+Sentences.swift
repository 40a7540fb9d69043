internal import Positioning

/// The fields of each understood sentence. Trailing fields may be missing: the editions of the standard differ in them.
extension NMEAParser {
    mutating func rmc(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        let time = fields.time(bytes)
        let status = fields.letter(bytes)
        guard !fields.isDamaged else { return nil }
        switch status {
        case UInt8(ascii: "A"): break
        case nil, UInt8(ascii: "V"):
            rejections.void &+= 1
            return .rmc(NMEASentence.RMC(time: time))
        default:
            rejections.unknownStatus &+= 1
            return nil
        }
        var rmc = NMEASentence.RMC(time: time, isValid: true)
        rmc.coordinate = fields.coordinate(bytes)
        rmc.speed = fields.magnitude(bytes).map { $0 * metresPerSecondPerKnot }
        rmc.course = fields.course(bytes)
        rmc.day = fields.date(bytes)
        // Magnetic variation, which nobody here needs; behind the mode NMEA 4.1 has a navigational status, which says
        // whether the receiver vouches for safety of navigation, not whether there is a fix.
        fields.skip(2, bytes)
        rmc.mode = fields.mode(bytes)
        if rmc.mode == .invalid, !fields.isDamaged {
            rejections.void &+= 1
            return .rmc(NMEASentence.RMC(time: time))
        }
        if rmc.coordinate == nil || time == nil { return fields.damaged() }
        return .rmc(rmc)
    }

    mutating func gga(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        let time = fields.time(bytes)
        // The quality stands behind the position, which may be anything while it is 0.
        var ahead = fields.peek()
        ahead.skip(4, bytes)
        let quality = ahead.count(bytes) ?? 0
        guard !ahead.isDamaged, !fields.isDamaged, quality <= 8 else { return fields.damaged() }
        if quality == 0 {
            rejections.void &+= 1
            return .gga(NMEASentence.GGA(time: time))
        }
        var gga = NMEASentence.GGA(time: time, quality: UInt8(truncatingIfNeeded: quality))
        gga.coordinate = fields.coordinate(bytes)
        fields.skip(1, bytes)
        gga.satellites = fields.count(bytes)
        gga.hdop = fields.magnitude(bytes)
        gga.altitude = metres(bytes, &fields)
        gga.geoidSeparation = metres(bytes, &fields)
        if gga.coordinate == nil || time == nil { return fields.damaged() }
        return .gga(gga)
    }

    mutating func gns(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        let time = fields.time(bytes)
        // As in GGA, what is said of the fix stands behind the position: a letter for each constellation.
        var ahead = fields.peek()
        ahead.skip(4, bytes)
        var best: NMEAMode?
        for index in ahead.next(bytes) {
            guard let mode = NMEAMode(bytes[index]), mode != .other else { return fields.damaged() }
            if mode != .invalid, best.map({ mode.rank > $0.rank }) ?? true { best = mode }
        }
        guard !fields.isDamaged else { return nil }
        guard let best else {
            rejections.void &+= 1
            return .gns(NMEASentence.GNS(time: time))
        }
        var gns = NMEASentence.GNS(time: time, mode: best)
        gns.coordinate = fields.coordinate(bytes)
        fields.skip(1, bytes)
        gns.satellites = fields.count(bytes)
        gns.hdop = fields.magnitude(bytes)
        gns.altitude = fields.decimal(bytes)
        gns.geoidSeparation = fields.decimal(bytes)
        if gns.coordinate == nil || time == nil { return fields.damaged() }
        return .gns(gns)
    }

    mutating func gll(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        // Time, status and mode stand behind the position, which may be anything while they say that it is void.
        var ahead = fields.peek()
        ahead.skip(4, bytes)
        let time = ahead.time(bytes)
        let status = ahead.letter(bytes)
        let mode = ahead.mode(bytes)
        guard !ahead.isDamaged else { return fields.damaged() }
        switch status {
        case UInt8(ascii: "A") where mode != .invalid: break
        case UInt8(ascii: "A"), nil, UInt8(ascii: "V"):
            rejections.void &+= 1
            return .gll(NMEASentence.GLL(time: time))
        default:
            rejections.unknownStatus &+= 1
            return nil
        }
        let coordinate = fields.coordinate(bytes)
        if coordinate == nil || time == nil { return fields.damaged() }
        return .gll(NMEASentence.GLL(time: time, isValid: true, coordinate: coordinate, mode: mode))
    }

    func vtg(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        var vtg = NMEASentence.VTG(course: fields.course(bytes))
        fields.skip(3, bytes)
        let knots = fields.magnitude(bytes)
        fields.skip(1, bytes)
        let kilometresPerHour = fields.magnitude(bytes)
        fields.skip(1, bytes)
        vtg.mode = fields.mode(bytes)
        if vtg.mode == .invalid { return .vtg(NMEASentence.VTG(mode: .invalid)) }
        vtg.speed = knots.map { $0 * metresPerSecondPerKnot } ?? kilometresPerHour.map { $0 / 3.6 }
        return .vtg(vtg)
    }

    func gsa(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        if let selection = fields.letter(bytes), selection != UInt8(ascii: "A"), selection != UInt8(ascii: "M") {
            return fields.damaged()
        }
        guard let dimension = fields.count(bytes) else { return nil }
        guard (1...3).contains(dimension) else { return fields.damaged() }
        var gsa = NMEASentence.GSA(dimension: UInt8(truncatingIfNeeded: dimension))
        for _ in 0..<12 where !fields.next(bytes).isEmpty { gsa.satellites &+= 1 }
        fields.skip(1, bytes)
        gsa.hdop = fields.magnitude(bytes)
        fields.skip(1, bytes)
        // A hexadecimal digit in NMEA 4.11; what newer editions may put there is not known.
        let system = fields.next(bytes)
        if system.count == 1 {
            let digit = bytes[system.lowerBound] &- UInt8(ascii: "0")
            gsa.system = digit <= 9 ? digit : nil
        }
        return .gsa(gsa)
    }

    func gst(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        var gst = NMEASentence.GST(time: fields.time(bytes))
        fields.skip(4, bytes)
        gst.latitude = fields.magnitude(bytes)
        gst.longitude = fields.magnitude(bytes)
        gst.altitude = fields.magnitude(bytes)
        return .gst(gst)
    }

    /// The number is in each sentence of a group; the satellites themselves are of no use here.
    func gsv(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        let (sentences, number) = (fields.count(bytes), fields.count(bytes))
        guard let satellites = fields.count(bytes), sentences != nil, number != nil else { return nil }
        return .gsv(NMEASentence.GSV(satellites: UInt8(clamping: satellites)))
    }

    func zda(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        let time = fields.time(bytes)
        let (day, month, year) = (fields.count(bytes), fields.count(bytes), fields.count(bytes))
        // The local zone behind it is of no use.
        guard let time, let day, let month, let year else { return nil }
        guard year >= 1980, let days = CivilDate.days(year: year, month: month, day: day) else {
            return fields.damaged()
        }
        return .zda(NMEASentence.ZDA(time: time, day: Int32(truncatingIfNeeded: days)))
    }

    func hdt(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        let degrees = fields.course(bytes)
        if let reference = fields.letter(bytes), reference != UInt8(ascii: "T") { return fields.damaged() }
        return .heading(NMEASentence.Heading(degrees: degrees))
    }

    func ths(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        let degrees = fields.course(bytes)
        let mode = fields.letter(bytes)
        let isVoid = mode == nil || mode == UInt8(ascii: "V")
        return .heading(NMEASentence.Heading(degrees: isVoid ? nil : degrees))
    }

    /// A length with its unit: two fields.
    private func metres(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> Double? {
        let metres = fields.decimal(bytes)
        if let unit = fields.letter(bytes), unit != UInt8(ascii: "M") { return fields.damaged() }
        return metres
    }
}

private let metresPerSecondPerKnot = 1852.0 / 3600
