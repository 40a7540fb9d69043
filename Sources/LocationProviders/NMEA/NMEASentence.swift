internal import Positioning

/// What the understood NMEA 0183 sentences say; absent fields are `nil`.
enum NMEASentence: Equatable, Sendable {
    case rmc(RMC)
    case gga(GGA)
    case gns(GNS)
    case gll(GLL)
    case vtg(VTG)
    case gsa(GSA)
    case gst(GST)
    case gsv(GSV)
    case zda(ZDA)
    case heading(Heading)

    /// Whether it tells a position or the lack of one.
    var isPosition: Bool {
        switch self {
        case .rmc, .gga, .gns, .gll: true
        default: false
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
        /// At most 12 in the older editions of the standard, however many there are.
        var satellites: Int?
        var hdop: Double?
        /// Metres above mean sea level.
        var altitude: Double?
        /// Metres of mean sea level above the ellipsoid.
        var geoidSeparation: Double?
    }

    /// Fix data of several constellations.
    struct GNS: Equatable, Sendable {
        var time: Int32?
        /// The best that any constellation has; `nil` when none has a fix: then nothing but ``time`` is filled.
        var mode: NMEAMode?
        var coordinate: Coordinate?
        var satellites: Int?
        var hdop: Double?
        /// Metres above mean sea level.
        var altitude: Double?
        /// Metres of mean sea level above the ellipsoid.
        var geoidSeparation: Double?
    }

    /// Position and its time.
    struct GLL: Equatable, Sendable {
        var time: Int32?
        /// False for status V or mode N: then nothing but ``time`` is filled.
        var isValid = false
        var coordinate: Coordinate?
        var mode: NMEAMode?
    }

    /// Course and speed over ground.
    struct VTG: Equatable, Sendable {
        /// Degrees true, [0, 360).
        var course: Double?
        /// Metres per second.
        var speed: Double?
        var mode: NMEAMode?
    }

    /// Dilution of precision and dimension of the fix: 1 none, 2 two, 3 three.
    struct GSA: Equatable, Sendable {
        var dimension: UInt8
        var satellites: UInt8 = 0
        var hdop: Double?
        /// Which constellation's satellites are listed, where NMEA 4.11 says so: 1 GPS, 2 GLONASS, 3 Galileo, 4 BeiDou, 5
        /// QZSS, 6 NavIC.
        var system: UInt8?
    }

    /// Error statistics, one standard deviation each, metres.
    struct GST: Equatable, Sendable {
        var time: Int32?
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
    }

    /// Satellites in view of the talker's constellation.
    struct GSV: Equatable, Sendable {
        var satellites: UInt8
    }

    /// Date and time.
    struct ZDA: Equatable, Sendable {
        /// Milliseconds since midnight UTC.
        var time: Int32
        /// Days since 1970-01-01.
        var day: Int32
    }

    /// Where the vehicle points, of THS or HDT.
    struct Heading: Equatable, Sendable {
        /// Degrees true, [0, 360); `nil` where it is not valid.
        var degrees: Double?
    }
}
