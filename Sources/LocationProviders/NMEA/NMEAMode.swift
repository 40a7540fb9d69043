/// The mode indicator of NMEA 2.3 and later.
enum NMEAMode: Equatable, Sendable {
    case autonomous, differential, estimated, rtkFloat, rtkFixed, manual, precise, simulator, invalid
    /// A letter that a newer edition of the standard, or a maker, added.
    case other

    init?(_ letter: UInt8) {
        switch letter {
        case UInt8(ascii: "A"): self = .autonomous
        case UInt8(ascii: "D"): self = .differential
        case UInt8(ascii: "E"): self = .estimated
        case UInt8(ascii: "F"): self = .rtkFloat
        case UInt8(ascii: "R"): self = .rtkFixed
        case UInt8(ascii: "M"): self = .manual
        case UInt8(ascii: "P"): self = .precise
        case UInt8(ascii: "S"): self = .simulator
        case UInt8(ascii: "N"): self = .invalid
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .other
        default: return nil
        }
    }

    /// Higher is better, where a GNS sentence has one for each constellation.
    var rank: Int {
        switch self {
        case .invalid: 0
        case .other: 1
        case .manual: 2
        case .simulator: 3
        case .estimated: 4
        case .autonomous: 5
        case .precise: 6
        case .differential: 7
        case .rtkFloat: 8
        case .rtkFixed: 9
        }
    }
}
