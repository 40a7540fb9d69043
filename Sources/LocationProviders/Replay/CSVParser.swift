internal import Positioning

/// Reads the rows of a table of positions: pure. An empty value is unknown; a row without a position says that there
/// was no fix then; a row that cannot be read is left out and noted, and changes nothing else.
struct CSVParser: Sendable {
    /// Bytes and lines of a row that goes on over several lines, at most: it is read again with each.
    private static let longestRow = 16_384
    private static let mostLines = 8

    private var header: CSVHeader
    private var row = CSVRow()
    /// The lines so far of a row in whose quotation a line ended, and where it began.
    private var open: (bytes: [UInt8], line: UInt64, lines: Int)?
    private var pace = UntimedPace()
    /// Whether the header or a row was there: what stands before is no row.
    private var hasBegun = false
    private let uere: Double
    private(set) var damage = LogDamage()

    init(_ header: CSVHeader, uere: Double) {
        self.header = header
        self.uere = uere
    }

    /// - Parameter number: the line's, counted from 1.
    mutating func read(_ bytes: Span<UInt8>, _ line: Range<Int>, number: UInt64, into records: inout [LogRecord]) {
        if let first = line.first(where: { bytes[$0] != UInt8(ascii: " ") }), open == nil {
            if bytes[first] == UInt8(ascii: "#") { return }
        } else if open == nil {
            return
        }
        if let record = joined(bytes, line) { return append(record, to: &records) }
        if let record = record(bytes, line) {
            dropOpen()
            return append(record, to: &records)
        }
        if open != nil { return }
        if row.isOpen, line.count < Self.longestRow {
            open = (line.map { bytes[$0] } + [UInt8(ascii: "\n")], number, 1)
        } else if let next = CSVHeader.read(bytes, line) {
            // Logs that were put behind one another.
            header = next
            hasBegun = true
        } else if hasBegun {
            damage.note(line: number)
        }
    }

    /// The log is at its end.
    mutating func finish() { dropOpen() }

    /// The row that this line completes, where one is open; it stays open where the quotation does not end here.
    private mutating func joined(_ bytes: Span<UInt8>, _ line: Range<Int>) -> LogRecord? {
        guard let (text, number, lines) = open else { return nil }
        var joined = text
        for index in line { joined.append(bytes[index]) }
        let record = record(joined.span, 0..<joined.count)
        if record == nil, row.isOpen, joined.count < Self.longestRow, lines < Self.mostLines {
            joined.append(UInt8(ascii: "\n"))
            open = (joined, number, lines + 1)
            return nil
        }
        if record == nil { damage.note(line: number) }
        open = nil
        return record
    }

    private mutating func dropOpen() {
        if let open { damage.note(line: open.line) }
        open = nil
    }

    private mutating func append(_ record: LogRecord, to records: inout [LogRecord]) {
        hasBegun = true
        var record = record
        record.time = pace.time(of: record)
        records.append(record)
    }

    // MARK: One row

    private mutating func record(_ bytes: Span<UInt8>, _ line: Range<Int>) -> LogRecord? {
        row.split(bytes, line, at: header.separator)
        // A row that was cut off may end in half a number.
        guard !row.isOpen, row.fields.count >= header.columns.count else { return nil }
        var values = Values()
        for (column, field) in zip(header.columns, row.fields) {
            guard let column else { continue }
            let field = DecimalText.trimmed(bytes, field)
            if Self.isUnknown(bytes, field) { continue }
            guard values.set(column, bytes, field, comma: header.allowsDecimalComma) else { return nil }
        }
        return values.record(needsDate: header.has(.date), uere: uere)
    }

    /// Nothing, or one of the words for it.
    private static func isUnknown(_ bytes: Span<UInt8>, _ field: Range<Int>) -> Bool {
        switch field.count {
        case 0: return true
        case 1...4:
            guard !(0x30...0x39).contains(bytes[field.upperBound - 1]) else { return false }
            var word: UInt32 = 0
            for index in field { word = word << 8 | UInt32(bytes[index] | 0x20) }
            // -, --, na, n/a, nan, null, none
            return [0x2D, 0x2D2D, 0x6E61, 0x6E_2F61, 0x6E_616E, 0x6E75_6C6C, 0x6E6F_6E65].contains(word)
        default: return false
        }
    }

    private struct Values {
        var location = Location(coordinate: Coordinate(latitude: .nan, longitude: .nan))
        var (latitude, longitude): (Double?, Double?)
        var (date, timeOfDay): (Int64?, Int64?)
        var ellipsoidHeight: Double?

        /// Whether the value can be read.
        mutating func set(_ column: CSVHeader.Column, _ bytes: Span<UInt8>, _ field: Range<Int>, comma: Bool) -> Bool {
            switch column.quantity {
            case .date:
                date = TimeText.readDate(bytes, field)
                return date != nil
            case .time: return setTime(bytes, field, column.factor, comma: comma)
            default: break
            }
            guard let number = DecimalText.read(bytes, field, comma: comma) else { return false }
            let value = number * (column.factor ?? 1)
            let known = value >= 0 ? value : nil
            switch column.quantity {
            case .latitude: latitude = value
            case .longitude: longitude = value
            case .altitude: location.altitude = value
            case .ellipsoidHeight: ellipsoidHeight = value
            case .speed: location.speed = known
            case .course:
                guard value <= 360 else { return false }
                location.course = known.map(Geodesy.normalizedCourse)
            case .accuracy: location.horizontalAccuracy = known
            case .verticalAccuracy: location.verticalAccuracy = known
            case .hdop: location.hdop = value > 0 ? value : nil
            case .satellites: location.satellitesUsed = (0...1000).contains(value) ? Int(value) : nil
            case .time, .date: break
            }
            return true
        }

        /// Text (see ``TimeText``), or a number since 1970: below 1e11 seconds, below 1e14 milliseconds, below 1e17
        /// microseconds, else nanoseconds, which no date from 1973 to 5138 leaves in doubt; or in the column's unit.
        private mutating func setTime(
            _ bytes: Span<UInt8>, _ field: Range<Int>, _ factor: Double?, comma: Bool
        ) -> Bool {
            if let time = TimeText.read(bytes, field) {
                location.timestamp = time
                return true
            }
            if let time = TimeText.readTimeOfDay(bytes, field) {
                timeOfDay = time
                return true
            }
            guard let number = DecimalText.read(bytes, field, comma: comma) else { return false }
            let size = number.magnitude
            let seconds = number * (factor ?? (size < 1e11 ? 1 : size < 1e14 ? 1e-3 : size < 1e17 ? 1e-6 : 1e-9))
            guard seconds.magnitude < 1e11 else { return false }
            location.timestamp = UTCInstant(milliseconds: Int64((seconds * 1000).rounded()))
            return true
        }

        /// `nil` where what is there does not make a position.
        func record(needsDate: Bool, uere: Double) -> LogRecord? {
            var location = location
            if let timeOfDay {
                guard let date else { return nil }
                location.timestamp = UTCInstant(milliseconds: date * CivilDate.millisecondsPerDay + timeOfDay)
            }
            guard let latitude, let longitude else {
                return latitude == nil && longitude == nil ? .noFix(location.timestamp) : nil
            }
            location.coordinate = Coordinate(latitude: latitude, longitude: longitude)
            if let ellipsoidHeight {
                if let altitude = location.altitude {
                    location.geoidSeparation = ellipsoidHeight - altitude
                } else {
                    (location.altitude, location.altitudeReference) = (ellipsoidHeight, .wgs84Ellipsoid)
                }
            }
            if location.altitude == nil || location.verticalAccuracy == 0 { location.verticalAccuracy = nil }
            if location.horizontalAccuracy == nil { location.horizontalAccuracy = location.hdop.map { $0 * uere } }
            return .fix(location)
        }
    }
}
