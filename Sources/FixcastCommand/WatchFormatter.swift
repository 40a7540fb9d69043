internal import FleetWire
internal import Positioning
internal import WireText

/// Writes events as lines; the same events give the same bytes, whatever the locale.
struct WatchFormatter {
    let format: WatchFormat

    /// What comes before the first line.
    var header: [UInt8] {
        guard format == .csv else { return [] }
        return Array(
            "time,vehicle,event,lat,lon,hacc,alt,speed,course,fix,motion,unreliable,availability,inst,boot,seq\n".utf8)
    }

    /// Appends one line.
    func append(_ event: WatchEvent, to line: inout [UInt8]) {
        switch (format, event) {
        case (.text, .position(let vehicle, let report, let isLastKnown)):
            appendText(vehicle, report, isLastKnown, to: &line)
        case (.text, .availability(let vehicle, let availability, let time)):
            append(time, to: &line)
            line += Array(" \(vehicle) ".utf8)
            line += Array((availability.reason.map { "unavailable: " + printable($0) } ?? availability.word).utf8)
        case (.json, .position(let vehicle, let report, let isLastKnown)):
            line += Array(
                "{\"vehicle\":\"\(vehicle)\",\"event\":\"\(isLastKnown ? "lastKnown" : "position")\",\"report\":".utf8)
            ReportJSON.encode(report, into: &line)
            line.append(UInt8(ascii: "}"))
        case (.json, .availability(let vehicle, let availability, let time)):
            appendJSON(vehicle, availability, time, to: &line)
        case (.csv, .position(let vehicle, let report, let isLastKnown)):
            appendCSV(vehicle, report, isLastKnown, to: &line)
        case (.csv, .availability(let vehicle, let availability, let time)):
            append(time, to: &line)
            let word = availability.reason.map { printable($0) } ?? availability.word
            line += Array(",\(vehicle),availability,,,,,,,,,,\(word),,,".utf8)
        }
        line.append(0x0A)
    }

    // MARK: Text

    /// `2026-11-30T03:40:00.200Z van-042 52.5200081 13.4049543 ±3 m 50 km/h 271° moving`
    private func appendText(_ vehicle: VehicleID, _ report: Report, _ isLastKnown: Bool, to line: inout [UInt8]) {
        let location = report.location
        if let time = location.timestamp {
            append(time, to: &line)
        } else {
            line += Array("undated                 ".utf8)
        }
        line += Array(" \(vehicle) ".utf8)
        if location.coordinate.latitude.isFinite, location.coordinate.longitude.isFinite {
            append(location.coordinate.latitude, decimals: 7, to: &line)
            line.append(0x20)
            append(location.coordinate.longitude, decimals: 7, to: &line)
        } else {
            line += Array("nowhere".utf8)
        }
        if let accuracy = location.horizontalAccuracy {
            line += Array(" ±".utf8)
            append(accuracy, decimals: accuracy < 10 ? 1 : 0, to: &line)
            line += Array(location.isAccuracyAssumed ? " m (assumed)".utf8 : " m".utf8)
        }
        if let speed = location.speed {
            line.append(0x20)
            append(speed * 3.6, decimals: 0, to: &line)
            line += Array(" km/h".utf8)
        }
        if let course = location.course {
            line.append(0x20)
            append(course >= 359.5 ? 0 : course, decimals: 0, to: &line)
            line += Array("°".utf8)
        }
        if let motion = report.draft.motion { line += Array(" \(motion.rawValue)".utf8) }
        if location.isSimulated { line += Array(" simulated".utf8) }
        if isLastKnown { line += Array(" last known".utf8) }
        if !location.isReliable {
            line += Array(" unreliable: \(location.unreliable.words.joined(separator: ", "))".utf8)
        }
    }

    // MARK: CSV

    private func appendCSV(_ vehicle: VehicleID, _ report: Report, _ isLastKnown: Bool, to line: inout [UInt8]) {
        let location = report.location
        let identity = report.identity
        if let time = location.timestamp { append(time, to: &line) }
        line += Array(",\(vehicle),\(isLastKnown ? "lastKnown" : "position"),".utf8)
        appendField(location.coordinate.latitude, decimals: 7, to: &line)
        appendField(location.coordinate.longitude, decimals: 7, to: &line)
        appendField(location.horizontalAccuracy, decimals: 3, to: &line)
        appendField(location.altitude, decimals: 2, to: &line)
        appendField(location.speed, decimals: 2, to: &line)
        appendField(location.course, decimals: 1, to: &line)
        line += Array("\(location.fix.name),\(report.draft.motion?.rawValue ?? ""),".utf8)
        line += Array(location.unreliable.words.joined(separator: " ").utf8)
        line += Array(",,\(printable(identity.instance)),\(identity.boot),\(identity.sequence)".utf8)
    }

    private func appendField(_ value: Double?, decimals: Int, to line: inout [UInt8]) {
        if let value, value.isFinite { append(value, decimals: decimals, to: &line) }
        line.append(UInt8(ascii: ","))
    }

    // MARK: JSON

    private func appendJSON(
        _ vehicle: VehicleID, _ availability: Availability, _ time: UTCInstant, to line: inout [UInt8]
    ) {
        line += Array("{\"vehicle\":\"\(vehicle)\",\"event\":\"availability\",\"time\":\"".utf8)
        append(time, to: &line)
        line += Array("\",\"available\":\(availability.isAvailable)".utf8)
        let reason = availability.reason ?? (availability == .unknown ? "unknown" : nil)
        if let reason {
            line += Array(",\"reason\":".utf8)
            line.append(addingCapacity: 2 + 6 * reason.utf8.count) { (out: inout OutputSpan<UInt8>) in
                out.append(json: reason)
            }
        }
        line.append(UInt8(ascii: "}"))
    }

    // MARK: Shared

    private func append(_ time: UTCInstant, to line: inout [UInt8]) {
        line.append(addingCapacity: 24) { (out: inout OutputSpan<UInt8>) in out.append(timestamp: time.milliseconds) }
    }

    private func append(_ value: Double, decimals: Int, to line: inout [UInt8]) {
        line.append(addingCapacity: 32) { (out: inout OutputSpan<UInt8>) in out.append(value, decimals: decimals) }
    }
}

/// A word from outside on a terminal or between commas: letters, digits and few others, not too many.
private func printable(_ text: String) -> String {
    String(
        decoding: text.utf8.prefix(40).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                byte
            default: UInt8(ascii: "?")
            }
        }, as: UTF8.self)
}

extension Availability {
    fileprivate var reason: String? {
        if case .unavailable(let reason) = self { reason.rawValue } else { nil }
    }

    fileprivate var word: String { self == .available ? "available" : "unknown" }
}

extension UnreliableReasons {
    /// The words of WIRE.md.
    fileprivate var words: [String] {
        let all: [(UnreliableReasons, String)] = [
            (.accuracy, "accuracy"), (.coordinate, "coordinate"), (.providerUnavailable, "providerUnavailable"),
            (.noFix, "noFix"), (.clock, "clock"), (.other, "other"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

extension FixType {
    /// The word of WIRE.md; empty where the source does not say.
    fileprivate var name: String {
        switch self {
        case .unknown: ""
        case .none: "none"
        case .deadReckoning: "dr"
        case .twoD: "2d"
        case .threeD: "3d"
        case .differential: "dgps"
        case .rtkFloat: "rtkFloat"
        case .rtkFixed: "rtkFixed"
        case .manual: "manual"
        }
    }
}
