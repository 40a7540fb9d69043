internal import Positioning
internal import XMLText

/// Reads the points of GPX 1.0 and 1.1 out of the events of their XML: pure. Elements go by their names, whatever
/// their prefix: speed and course are GPX 1.0's own elements or those of any extension (m/s, degrees true).
///
/// `ele` is metres above mean sea level, a time without zone is UTC, accuracy is HDOP times `uere`, and a point whose
/// `fix` is `none` is no position.
struct GPXParser: Sendable {
    /// Which of the three lists of a file is read.
    enum List: CaseIterable, Sendable { case track, route, waypoints }

    fileprivate enum Field { case elevation, time, speed, course, hdop, satellites, fix, separation }

    private let list: List
    private let uere: Double
    private var depth = 0
    private var point: Point?
    private var field: Field?
    private var text: [UInt8] = []
    private var pace = UntimedPace()
    /// Points of this list, damaged ones included.
    private(set) var points: UInt64 = 0
    private(set) var damage = LogDamage()

    init(_ list: List, uere: Double) {
        self.list = list
        self.uere = uere
    }

    fileprivate struct Point {
        var location: Location
        /// The depth of its element.
        var depth: Int
        var hasFix = true
    }

    mutating func read(_ events: borrowing XMLEvents, into records: inout [LogRecord]) {
        for event in events.list {
            switch event {
            case .start(let name, let attributes, let line):
                depth += 1
                start(events, name, attributes, line)
            case .text(let range):
                // Longer than any number or time: nothing of ours.
                if field != nil, text.count + range.count <= 64 { text.append(contentsOf: events.bytes[range]) }
            case .end:
                end(into: &records)
                depth -= 1
            }
        }
    }

    private mutating func start(
        _ events: borrowing XMLEvents, _ name: Range<Int>, _ attributes: Range<Int>, _ line: Int
    ) {
        field = nil
        if point == nil {
            let element: StaticString =
                switch list {
                case .track: "trkpt"
                case .route: "rtept"
                case .waypoints: "wpt"
                }
            if events.isEqual(name, element) { begin(events, attributes, line) }
            return
        }
        text.removeAll(keepingCapacity: true)
        field = Self.field(events, name)
    }

    private mutating func begin(_ events: borrowing XMLEvents, _ attributes: Range<Int>, _ line: Int) {
        points += 1
        var (latitude, longitude) = (Double?.none, Double?.none)
        for attribute in events.attributes[attributes] {
            let bytes = events.bytes.span
            if events.isEqual(attribute.name, "lat") { latitude = DecimalText.read(bytes, attribute.value) }
            if events.isEqual(attribute.name, "lon") { longitude = DecimalText.read(bytes, attribute.value) }
        }
        guard let latitude, let longitude else { return damage.note(line: UInt64(line)) }
        point = Point(
            location: Location(coordinate: Coordinate(latitude: latitude, longitude: longitude)), depth: depth)
    }

    private static func field(_ events: borrowing XMLEvents, _ name: Range<Int>) -> Field? {
        if events.isEqual(name, "ele") { return .elevation }
        if events.isEqual(name, "time") { return .time }
        if events.isEqual(name, "speed") { return .speed }
        if events.isEqual(name, "course") { return .course }
        if events.isEqual(name, "hdop") { return .hdop }
        if events.isEqual(name, "sat") { return .satellites }
        if events.isEqual(name, "fix") { return .fix }
        if events.isEqual(name, "geoidheight") { return .separation }
        return nil
    }

    private mutating func end(into records: inout [LogRecord]) {
        guard var point else { return }
        if let field {
            point.set(field, text, uere: uere)
            self.point = point
        }
        field = nil
        guard point.depth == depth else { return }
        self.point = nil
        var record = point.hasFix ? LogRecord.fix(point.location) : .noFix(point.location.timestamp)
        record.time = pace.time(of: record)
        records.append(record)
    }

}

extension GPXParser.Point {
    /// What cannot be read stays unknown.
    fileprivate mutating func set(_ field: GPXParser.Field, _ text: [UInt8], uere: Double) {
        let (bytes, all) = (text.span, 0..<text.count)
        switch field {
        case .elevation: location.altitude = DecimalText.read(bytes, all)
        case .time: location.timestamp = TimeText.read(bytes, all)
        case .speed: location.speed = DecimalText.read(bytes, all).flatMap { $0 >= 0 ? $0 : nil }
        case .course:
            let course = DecimalText.read(bytes, all).flatMap { (0...360).contains($0) ? $0 : nil }
            location.course = course.map(Geodesy.normalizedCourse)
        case .hdop:
            guard let hdop = DecimalText.read(bytes, all), hdop > 0 else { return }
            location.hdop = hdop
            location.horizontalAccuracy = hdop * uere
        case .satellites:
            let count = DecimalText.read(bytes, all).flatMap { Int(exactly: $0) }
            location.satellitesUsed = count.flatMap { (0...1000).contains($0) ? $0 : nil }
        case .separation: location.geoidSeparation = DecimalText.read(bytes, all)
        case .fix: setFix(text[DecimalText.trimmed(bytes, all)])
        }
    }

    private mutating func setFix(_ word: ArraySlice<UInt8>) {
        switch String(decoding: word, as: UTF8.self) {
        case "none": hasFix = false
        case "2d": location.fix = .twoD
        case "3d", "pps": location.fix = .threeD
        case "dgps": location.fix = .differential
        default: break
        }
    }
}
