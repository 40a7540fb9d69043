/// A sentence with a right checksum as it stands in a log, for what the rules of ``AgreementRule`` ask about it.
struct RawSentence: Equatable {
    /// The first is talker and type.
    var fields: [String]

    var type: String { fields[0].count == 5 ? String(fields[0].suffix(3)) : fields[0] }

    subscript(index: Int) -> String { index < fields.count ? fields[index] : "" }

    /// Milliseconds since midnight, of the sentences whose time is that of a position.
    var time: Int? {
        guard isPosition else { return nil }
        return clock(field: type == "GLL" ? 5 : 1)
    }

    /// Milliseconds since midnight, of a field `hhmmss` with any fraction.
    func clock(field: Int) -> Int? {
        guard let seconds = Double(self[field]), self[field].first?.isNumber == true else { return nil }
        let whole = Int(seconds)
        let clock = ((whole / 10_000 * 60) + whole / 100 % 100) * 60 + whole % 100
        return clock * 1000 + Int(((seconds - Double(whole)) * 1000 + 0.001).rounded(.down))
    }

    /// The position of a sentence of any type: degrees.
    var position: (latitude: Double, longitude: Double)? {
        guard fields.count > 4 else { return nil }
        for index in 1..<(fields.count - 3) {
            if let latitude = Self.degrees(fields[index], fields[index + 1], "N", "S"),
                let longitude = Self.degrees(fields[index + 2], fields[index + 3], "E", "W")
            {
                return (latitude, longitude)
            }
        }
        return nil
    }

    private static func degrees(_ angle: String, _ hemisphere: String, _ plus: String, _ minus: String) -> Double? {
        guard let value = Double(angle), hemisphere == plus || hemisphere == minus else { return nil }
        let degrees = (value / 100).rounded(.down)
        let total = degrees + (value - degrees * 100) / 60
        return hemisphere == plus ? total : -total
    }

    /// Whether it says that there is no fix.
    var isVoid: Bool {
        switch type {
        case "RMC": self[2] != "A" || self[12] == "N"
        case "GGA": self[6] == "0" || self[6].isEmpty
        case "GLL": self[6] != "A" || self[7] == "N"
        case "GNS": self[6].allSatisfy { $0 == "N" }
        case "GSA": self[2] == "1"
        default: false
        }
    }

    /// Whether it has a value for a field that is compared.
    func tells(_ field: AgreementDifference.Field) -> Bool {
        switch (type, field) {
        case ("RMC", .time): !self[9].isEmpty
        case ("ZDA", .time): !self[2].isEmpty
        case ("RMC", .speed): !self[7].isEmpty
        case ("VTG", .speed): !self[5].isEmpty || !self[7].isEmpty
        case ("RMC", .course): !self[8].isEmpty
        case ("VTG", .course): !self[1].isEmpty
        case ("GGA", .altitude), ("GNS", .altitude): !self[9].isEmpty
        case ("GGA", .mode), ("GNS", .mode), ("GSA", .mode): true
        case (_, .position): position != nil
        default: false
        }
    }

    /// Metres per second.
    var speed: Double? {
        switch type {
        case "RMC": Double(self[7]).map { $0 * 1852 / 3600 }
        case "VTG": Double(self[5]).map { $0 * 1852 / 3600 } ?? Double(self[7]).map { $0 / 3.6 }
        default: nil
        }
    }

    /// Degrees true.
    var course: Double? {
        switch type {
        case "RMC": Double(self[8])
        case "VTG": Double(self[1])
        default: nil
        }
    }

    /// The types that the standard defines for positions.
    static let positionTypes: Set = ["RMC", "GGA", "GNS", "GLL"]

    var isPosition: Bool { Self.positionTypes.contains(type) }

    /// A VTG without course or without knots, or one of dead reckoning.
    var isHalf: Bool { type == "VTG" && (self[1].isEmpty || self[5].isEmpty || self[9] == "E" || self[9] == "N") }

    var isLeapSecond: Bool { isPosition && self[type == "GLL" ? 5 : 1].dropFirst(4).hasPrefix("60") }

    /// A proprietary sentence that has a position, a time or a velocity of its own.
    var isMakersPosition: Bool {
        ["PGRMF", "PGRMZ", "PGRME", "PASHR", "PSTI", "PTNTHTM", "PMGNST", "PERC"].contains { fields[0].hasPrefix($0) }
    }

    /// Every sentence of a line.
    static func all(in line: Substring.UTF8View) -> [RawSentence] {
        var found: [RawSentence] = []
        var rest = line[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "$")) {
            let body = rest[rest.index(after: start)...]
            guard let end = body.firstIndex(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "$") }) else {
                break
            }
            rest = body[end...]
            guard body[end] == UInt8(ascii: "*") else { continue }
            let digits = body[body.index(after: end)...].prefix(2)
            let sum = body[..<end].reduce(0, ^)
            guard UInt8(String(decoding: digits, as: UTF8.self), radix: 16) == sum else { continue }
            let fields = String(decoding: body[..<end], as: UTF8.self)
                .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            if fields[0].count >= 4 { found.append(RawSentence(fields: fields)) }
        }
        return found
    }
}
