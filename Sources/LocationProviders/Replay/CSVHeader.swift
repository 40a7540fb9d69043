/// The columns of a table of positions, as its first line names them.
struct CSVHeader: Equatable, Sendable {
    enum Quantity: Equatable, Sendable {
        case time, date, latitude, longitude, altitude, ellipsoidHeight, speed, course, accuracy, verticalAccuracy
        case hdop, satellites
    }

    struct Column: Equatable, Sendable {
        var quantity: Quantity
        /// What a value is multiplied with to be in metres, metres per second, degrees or, of a time, seconds.
        var factor: Double?
    }

    let separator: UInt8
    /// By position; `nil` for a column of something else.
    let columns: [Column?]

    /// Whether values may have a comma for their decimal point.
    var allowsDecimalComma: Bool { separator != UInt8(ascii: ",") }

    func has(_ quantity: Quantity) -> Bool { columns.contains { $0?.quantity == quantity } }

    /// Reads a line; `nil` where it does not name a latitude and a longitude. Names go without regard to case, spaces,
    /// `_`, `-` and `.`; a unit may stand in parentheses or brackets, or behind the name.
    static func read(_ bytes: Span<UInt8>, _ line: Range<Int>) -> CSVHeader? {
        guard line.count <= 16_384, namesLatitude(bytes, line) else { return nil }
        var row = CSVRow()
        for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), 9, UInt8(ascii: "|")] {
            row.split(bytes, line, at: separator)
            guard row.fields.count > 1 else { continue }
            var columns = row.fields.map { column(bytes, $0) }
            for index in columns.indices {
                // The first of several of a kind counts.
                guard let column = columns[index] else { continue }
                if columns[..<index].contains(where: { $0?.quantity == column.quantity }) { columns[index] = nil }
            }
            // A separator at the end of the line makes no column.
            while let last = row.fields.last, last.isEmpty, columns.count > 1 {
                row.dropLastField()
                columns.removeLast()
            }
            let header = CSVHeader(separator: separator, columns: columns)
            if header.has(.latitude), header.has(.longitude) { return header }
        }
        return nil
    }

    /// Whether `lat` is in the line, as in every name of a latitude: rows that are no header cost little.
    private static func namesLatitude(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        var last: UInt32 = 0
        for index in line {
            last = last << 8 & 0xFF_FFFF | UInt32(bytes[index] | 0x20)
            if last == 0x6C_6174 { return true }
        }
        return false
    }

    private static func column(_ bytes: Span<UInt8>, _ field: Range<Int>) -> Column? {
        var (name, unit, isUnit) = ("", "", false)
        for index in field.prefix(64) {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["): isUnit = true
            case UInt8(ascii: ")"), UInt8(ascii: "]"): isUnit = false
            case UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "\""): break
            case 0x21...0x7E:
                let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                let scalar = Unicode.Scalar(isUpper ? byte + 32 : byte)
                if isUnit { unit.unicodeScalars.append(scalar) } else { name.unicodeScalars.append(scalar) }
            default: break
            }
        }
        if let quantity = quantities[name] { return column(quantity, unit) }
        // A unit behind the name: speed_kmh, altitude_ft, timestamp_ms.
        for (suffix, _) in units where unit.isEmpty && name.hasSuffix(suffix) {
            if let quantity = quantities[String(name.dropLast(suffix.count))] { return column(quantity, suffix) }
        }
        return nil
    }

    /// A column in a unit that is not known is not read: a wrong number is worse than none.
    private static func column(_ quantity: Quantity, _ unit: String) -> Column? {
        switch quantity {
        case .latitude, .longitude, .date, .hdop, .satellites: return Column(quantity: quantity, factor: nil)
        case .time:
            let factors = ["ms": 0.001, "millis": 0.001, "milliseconds": 0.001, "us": 1e-6, "ns": 1e-9]
            return Column(quantity: quantity, factor: factors[unit])
        case .course: return unit.isEmpty || unit.hasPrefix("deg") ? Column(quantity: quantity, factor: 1) : nil
        case .altitude, .ellipsoidHeight, .accuracy, .verticalAccuracy, .speed:
            if unit.isEmpty || quantity == .speed && unit == "ms" { return Column(quantity: quantity, factor: 1) }
            guard let known = units.first(where: { $0.name == unit })?.measure else { return nil }
            switch (quantity, known) {
            case (.speed, .speed(let factor)): return Column(quantity: quantity, factor: factor)
            case (.speed, _): return nil
            case (_, .length(let factor)): return Column(quantity: quantity, factor: factor)
            default: return nil
            }
        }
    }

    private enum Measure {
        case speed(Double)
        case length(Double)
        case time
        case angle
    }

    /// Longer names first, so that none hides behind its own end.
    private static let units: [(name: String, measure: Measure)] = [
        ("milliseconds", .time), ("degrees", .angle), ("millis", .time), ("meters", .length(1)),
        ("metres", .length(1)), ("knots", .speed(1852.0 / 3600)), ("feet", .length(0.3048)),
        ("km/h", .speed(1 / 3.6)), ("kmh", .speed(1 / 3.6)), ("kph", .speed(1 / 3.6)), ("m/s", .speed(1)),
        ("mps", .speed(1)), ("mph", .speed(0.44704)), ("kts", .speed(1852.0 / 3600)), ("deg", .angle),
        ("kt", .speed(1852.0 / 3600)), ("kn", .speed(1852.0 / 3600)), ("ft", .length(0.3048)), ("ms", .time),
        ("us", .time), ("ns", .time), ("m", .length(1)),
    ]

    private static let quantities: [String: Quantity] = {
        var names: [String: Quantity] = [:]
        func add(_ quantity: Quantity, _ words: String...) { for word in words { names[word] = quantity } }
        add(.time, "time", "timestamp", "datetime", "utc", "utctime", "timeutc", "utcdatetime", "unix", "unixtime")
        add(.time, "unixtimestamp", "unixseconds", "epoch", "epochtime", "epochseconds", "fixtime", "isotime", "tst")
        add(.date, "date", "utcdate", "dateutc")
        add(.latitude, "lat", "latitude", "gpslat", "gpslatitude", "latdeg", "latitudedeg", "positionlat")
        add(.longitude, "lon", "lng", "long", "longitude", "gpslon", "gpslng", "gpslong", "gpslongitude", "londeg")
        add(.longitude, "longitudedeg", "positionlong", "positionlon")
        add(.altitude, "alt", "altitude", "ele", "elevation", "height", "altitudemsl", "altmsl", "gpsaltitude")
        add(.ellipsoidHeight, "hae", "althae", "altitudehae", "ellipsoidheight", "ellipsoidalheight")
        add(.ellipsoidHeight, "altitudeellipsoid", "heightellipsoid")
        add(.speed, "speed", "velocity", "vel", "spd", "sog", "groundspeed", "speedoverground", "gpsspeed")
        add(.course, "course", "heading", "bearing", "track", "cog", "courseoverground", "direction", "azimuth")
        add(.accuracy, "hacc", "accuracy", "acc", "horizontalaccuracy", "haccuracy", "horizacc", "gpsaccuracy")
        add(.verticalAccuracy, "vacc", "verticalaccuracy", "vaccuracy", "vertacc")
        add(.hdop, "hdop")
        add(.satellites, "sats", "sat", "satellites", "satellitesused", "numsat", "numsats", "nsat", "nsats")
        return names
    }()
}
