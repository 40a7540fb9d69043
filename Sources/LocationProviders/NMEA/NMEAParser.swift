internal import Positioning

/// Finds and reads the NMEA 0183 sentences of a line: `$`, any talker, a type, fields, `*hh`. What stands around them
/// (other loggers' time stamps, binary noise, half sentences) is passed over; the checksum is required.
struct NMEAParser {
    /// From `$` to `*`; real receivers send up to 203 bytes where the standard allows 82.
    static let longestSentence = 512

    private(set) var rejections = NMEARejections()
    /// Sentences with a right checksum, understood or not: what comes is NMEA.
    private(set) var sentences: UInt64 = 0

    /// Calls `body` with each understood sentence of the line, in order.
    mutating func read(_ bytes: Span<UInt8>, _ line: Range<Int>, _ body: (NMEASentence) -> Void) {
        var index = line.lowerBound
        while index < line.upperBound {
            guard bytes[index] == UInt8(ascii: "$") else {
                index += 1
                continue
            }
            let start = index + 1
            var checksum: UInt8 = 0
            index = start
            while index < line.upperBound {
                let byte = bytes[index]
                if byte == UInt8(ascii: "*") || byte == UInt8(ascii: "$") { break }
                checksum ^= byte
                index += 1
            }
            guard index - start <= Self.longestSentence else {
                rejections.tooLong += 1
                continue
            }
            guard index + 2 < line.upperBound, bytes[index] == UInt8(ascii: "*"),
                let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2])
            else {
                rejections.noChecksum += 1
                continue
            }
            guard high << 4 | low == checksum else {
                rejections.badChecksum += 1
                continue
            }
            sentences += 1
            if let sentence = sentence(bytes, start..<index) { body(sentence) }
        }
    }

    private func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private mutating func sentence(_ bytes: Span<UInt8>, _ content: Range<Int>) -> NMEASentence? {
        let start = content.lowerBound
        // Talker P means proprietary: $PGRMC is Garmin's, no RMC.
        guard content.count > 6, bytes[start + 5] == UInt8(ascii: ","), bytes[start] != UInt8(ascii: "P") else {
            return nil
        }
        let type = UInt32(bytes[start + 2]) << 16 | UInt32(bytes[start + 3]) << 8 | UInt32(bytes[start + 4])
        var fields = NMEAFields((start + 6)..<content.upperBound)
        let sentence: NMEASentence?
        switch type {
        case 0x52_4D_43: sentence = rmc(bytes, &fields)
        case 0x47_47_41: sentence = gga(bytes, &fields)
        case 0x47_53_41: sentence = gsa(bytes, &fields)
        case 0x47_53_54: sentence = gst(bytes, &fields)
        case 0x56_54_47: sentence = vtg(bytes, &fields)
        default: return nil
        }
        if fields.isDamaged {
            rejections.badField += 1
            return nil
        }
        return sentence
    }

    private mutating func rmc(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        let time = fields.time(bytes)
        let status = fields.letter(bytes)
        guard !fields.isDamaged else { return nil }
        switch status {
        case UInt8(ascii: "A"): break
        case nil, UInt8(ascii: "V"):
            rejections.void += 1
            return .rmc(NMEASentence.RMC(time: time))
        default:
            rejections.unknownStatus += 1
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
            rejections.void += 1
            return .rmc(NMEASentence.RMC(time: time))
        }
        if rmc.coordinate == nil || time == nil { return fields.damaged() }
        return .rmc(rmc)
    }

    private mutating func gga(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        let time = fields.time(bytes)
        // The quality stands behind the position, which may be anything while it is 0.
        var ahead = fields.peek()
        ahead.skip(4, bytes)
        let quality = ahead.count(bytes) ?? 0
        guard !ahead.isDamaged, !fields.isDamaged, quality <= 8 else { return fields.damaged() }
        if quality == 0 {
            rejections.void += 1
            return .gga(NMEASentence.GGA(time: time))
        }
        var gga = NMEASentence.GGA(time: time, quality: UInt8(quality))
        gga.coordinate = fields.coordinate(bytes)
        fields.skip(1, bytes)
        gga.satellites = fields.count(bytes)
        gga.hdop = fields.magnitude(bytes)
        gga.altitude = fields.decimal(bytes)
        if let unit = fields.letter(bytes), unit != UInt8(ascii: "M") { return fields.damaged() }
        if gga.coordinate == nil || time == nil { return fields.damaged() }
        return .gga(gga)
    }

    private func gsa(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        if let selection = fields.letter(bytes), selection != UInt8(ascii: "A"), selection != UInt8(ascii: "M") {
            return fields.damaged()
        }
        guard let dimension = fields.count(bytes) else { return nil }
        guard (1...3).contains(dimension) else { return fields.damaged() }
        fields.skip(13, bytes)
        return .gsa(NMEASentence.GSA(dimension: UInt8(dimension), hdop: fields.magnitude(bytes)))
    }

    private func gst(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        var gst = NMEASentence.GST(time: fields.time(bytes))
        fields.skip(4, bytes)
        gst.latitude = fields.magnitude(bytes)
        gst.longitude = fields.magnitude(bytes)
        gst.altitude = fields.magnitude(bytes)
        return .gst(gst)
    }

    private func vtg(_ bytes: Span<UInt8>, _ fields: inout NMEAFields) -> NMEASentence? {
        var vtg = NMEASentence.VTG(course: fields.course(bytes))
        fields.skip(3, bytes)
        let knots = fields.magnitude(bytes)
        fields.skip(1, bytes)
        let kilometresPerHour = fields.magnitude(bytes)
        fields.skip(1, bytes)
        if fields.mode(bytes) == .invalid { return .vtg(NMEASentence.VTG()) }
        vtg.speed = knots.map { $0 * metresPerSecondPerKnot } ?? kilometresPerHour.map { $0 / 3.6 }
        return .vtg(vtg)
    }
}

private let metresPerSecondPerKnot = 1852.0 / 3600
