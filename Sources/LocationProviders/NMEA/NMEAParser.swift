internal import Positioning

/// Finds the NMEA 0183 sentences of a line and has them read: `$`, any talker, a type, fields, `*hh`. What stands around
/// them (other loggers' time stamps, tag blocks, binary noise, half sentences, `!` sentences) is passed over; the
/// checksum is required.
struct NMEAParser: Sendable {
    /// From `$` to `*`; real receivers send up to 203 bytes where the standard allows 82.
    static let longestSentence = 512

    var rejections = NMEARejections()
    /// Sentences with a right checksum, understood or not: what comes is NMEA.
    private(set) var sentences: UInt64 = 0

    /// Calls `body` with each understood sentence of the line and who speaks, in order.
    @inline(__always)
    mutating func read(_ bytes: Span<UInt8>, _ line: Range<Int>, _ body: (NMEASentence, NMEATalker) -> Void) {
        precondition(line.lowerBound >= 0 && line.upperBound <= bytes.count)
        var index = line.lowerBound
        while index < line.upperBound {
            let byte = unsafe bytes[unchecked: index]
            guard byte == UInt8(ascii: "$") else {
                index &+= 1
                continue
            }
            let start = index &+ 1
            let (end, checksum) = Self.scan(bytes, start..<line.upperBound)
            index = end
            guard end - start <= Self.longestSentence else {
                rejections.tooLong &+= 1
                continue
            }
            guard end + 2 < line.upperBound, bytes[end] == UInt8(ascii: "*"),
                let high = hexDigit(bytes[end + 1]), let low = hexDigit(bytes[end + 2])
            else {
                rejections.noChecksum &+= 1
                continue
            }
            guard high << 4 | low == checksum else {
                rejections.badChecksum &+= 1
                continue
            }
            sentences &+= 1
            guard let sentence = sentence(bytes, start..<end) else { continue }
            body(sentence, NMEATalker(code: UInt16(bytes[start]) << 8 | UInt16(bytes[start + 1])))
        }
    }

    /// The first `*` or `$` of the range, or its end, and the exclusive or of the bytes before: eight at a time.
    private static func scan(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (end: Int, checksum: UInt8) {
        let raw = unsafe bytes.bytes
        var index = range.lowerBound
        var sum: UInt64 = 0
        while index &+ 8 <= range.upperBound {
            let loaded = unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            let word = UInt64(littleEndian: loaded)
            let stops = zeroBytes(word ^ 0x2A2A_2A2A_2A2A_2A2A) | zeroBytes(word ^ 0x2424_2424_2424_2424)
            if stops != 0 {
                let bits = stops.trailingZeroBitCount & ~7
                sum ^= word & (1 << UInt64(bits) &- 1)
                index &+= bits / 8
                return (index, folded(sum))
            }
            sum ^= word
            index &+= 8
        }
        while index < range.upperBound {
            let byte = unsafe bytes[unchecked: index]
            if byte == UInt8(ascii: "*") || byte == UInt8(ascii: "$") { break }
            sum ^= UInt64(byte)
            index &+= 1
        }
        return (index, folded(sum))
    }

    /// The high bit of each byte that is zero; of bytes behind the first one too, wrongly, which does not matter here.
    @inline(__always)
    private static func zeroBytes(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    private static func folded(_ sum: UInt64) -> UInt8 {
        var sum = sum ^ sum >> 32
        sum ^= sum >> 16
        return UInt8(truncatingIfNeeded: sum ^ sum >> 8)
    }

    private func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
        default: nil
        }
    }

    private mutating func sentence(_ bytes: Span<UInt8>, _ content: Range<Int>) -> NMEASentence? {
        let start = content.lowerBound
        // Talker P means proprietary: $PGRMC is Garmin's, no RMC; $PQ is how one maker spells QZSS.
        guard content.count > 6, bytes[start + 5] == UInt8(ascii: ","),
            bytes[start] != UInt8(ascii: "P") || bytes[start + 1] == UInt8(ascii: "Q")
        else { return nil }
        let type = UInt32(bytes[start + 2]) << 16 | UInt32(bytes[start + 3]) << 8 | UInt32(bytes[start + 4])
        var fields = NMEAFields((start + 6)..<content.upperBound)
        let sentence: NMEASentence?
        switch type {
        case 0x47_53_56: sentence = gsv(bytes, &fields)
        case 0x47_53_41: sentence = gsa(bytes, &fields)
        case 0x52_4D_43: sentence = rmc(bytes, &fields)
        case 0x47_47_41: sentence = gga(bytes, &fields)
        case 0x56_54_47: sentence = vtg(bytes, &fields)
        case 0x47_4C_4C: sentence = gll(bytes, &fields)
        case 0x47_53_54: sentence = gst(bytes, &fields)
        case 0x47_4E_53: sentence = gns(bytes, &fields)
        case 0x5A_44_41: sentence = zda(bytes, &fields)
        case 0x48_44_54: sentence = hdt(bytes, &fields)
        case 0x54_48_53: sentence = ths(bytes, &fields)
        default: return nil
        }
        if fields.isDamaged {
            rejections.badField &+= 1
            return nil
        }
        return sentence
    }
}
