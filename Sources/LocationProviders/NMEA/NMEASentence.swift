internal import Positioning

/// What the understood NMEA 0183 sentences say; absent fields are `nil`.
enum NMEASentence: Equatable, Sendable {
    case rmc(RMC)
    case gga(GGA)
    case gsa(GSA)
    case gst(GST)
    case vtg(VTG)

    /// Whether it tells a position or the lack of one.
    var isPosition: Bool {
        switch self {
        case .rmc, .gga: true
        case .gsa, .gst, .vtg: false
        }
    }

    /// Recommended minimum: position, speed, course, date.
    struct RMC: Equatable, Sendable {
        /// Milliseconds since midnight UTC; a leap second's :60 is its last millisecond before.
        var time: Int32?
        /// False for status V or mode N: then nothing but ``time`` is filled.
        var isValid = false
        var coordinate: Coordinate?
        /// Metres per second.
        var speed: Double?
        /// Degrees true, [0, 360).
        var course: Double?
        /// Days since 1970-01-01.
        var day: Int32?
        var mode: NMEAMode?
    }

    /// Fix data: position, altitude, quality.
    struct GGA: Equatable, Sendable {
        var time: Int32?
        /// 0 when there is no fix: then nothing but ``time`` is filled.
        var quality: UInt8 = 0
        var coordinate: Coordinate?
        var satellites: Int?
        var hdop: Double?
        /// Metres above mean sea level.
        var altitude: Double?
    }

    /// Dilution of precision and dimension of the fix: 1 none, 2 two, 3 three.
    struct GSA: Equatable, Sendable {
        var dimension: UInt8
        var hdop: Double?
    }

    /// Error statistics, one standard deviation each, metres.
    struct GST: Equatable, Sendable {
        var time: Int32?
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
    }

    /// Course and speed over ground.
    struct VTG: Equatable, Sendable {
        var course: Double?
        var speed: Double?
    }
}

/// The mode indicator of NMEA 2.3 and later.
enum NMEAMode: Equatable, Sendable {
    case autonomous, differential, estimated, rtkFloat, rtkFixed, manual, precise, simulator, invalid
    /// A letter that a newer edition of the standard added.
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
}
