internal import Positioning
internal import Reporting
internal import WireText

extension Explanation {
    /// A line for each report and each rejection, then the totals.
    public var text: String {
        var lines: [String] = []
        for event in events {
            switch event {
            case .sent(let report, let bytes):
                let draft = report.draft
                var line =
                    "\(clock(draft.location.timestamp))  sent      #\(report.identity.sequence) \(draft.trigger?.rawValue ?? "")"
                if let motion = draft.motion { line += ", \(motion.rawValue)" }
                if let bound = draft.bound { line += ", bound \(decimal(bound)) m" }
                if !draft.location.isReliable { line += ", unreliable" }
                lines.append(line + ", \(bytes) bytes")
            case .rejected(let location, let rejection):
                lines.append(
                    "\(clock(location.timestamp))  rejected  \(rejection.rule.rawValue): \(decimal(rejection.value)) against \(decimal(rejection.threshold)) \(rejection.rule.unit)"
                )
            case .gap(let time): lines.append("\(clock(time))  no fix")
            }
        }
        return (lines + [""] + totals).joined(separator: "\n") + "\n"
    }

    /// One line each.
    public var totals: [String] {
        let outcome = outcome
        var lines = [
            "\(fixes) fixes in \(decimal(outcome.hours, 2)) h: \(outcome.messages) sent, \(held) held, \(outcome.rejected) rejected"
        ]
        if !triggers.isEmpty {
            lines.append(
                "sent because of: " + triggers.map { "\($0.trigger.rawValue) \($0.count)" }.joined(separator: ", "))
        }
        if !rejections.isEmpty {
            lines.append("rejected by: " + rejections.map { "\($0.rule.rawValue) \($0.count)" }.joined(separator: ", "))
        }
        if outcome.hours > 0 {
            lines.append(
                "\(decimal(outcome.messagesPerHour)) messages and \(decimal(outcome.bytesPerHour, 0)) bytes an hour, \(decimal(outcome.bytesPerHour * 24 / 1e6, 2)) MB in 24 h at this pace"
            )
        }
        if !outcome.errors.isEmpty {
            lines.append(
                "receiver's error: mean \(decimal(outcome.meanError)) m, 99th percentile \(decimal(outcome.errorPercentile(0.99))) m, largest \(decimal(outcome.largestError)) m"
            )
        }
        return lines
    }

    private func clock(_ time: UTCInstant?) -> String {
        time.map { timestamp($0) } ?? "without time            "
    }
}

extension RejectionRule {
    /// Of a rejection's value and threshold.
    var unit: String {
        switch self {
        case .duplicate, .outOfOrder, .date, .future, .stale, .warmUp, .frozen: "s"
        case .nullIsland: "degrees"
        case .inaccurate: "m"
        case .speed, .jump: "m/s"
        case .unreliable: ""
        }
    }
}

/// A number for people, with a decimal point whatever the locale.
func decimal(_ value: Double, _ decimals: Int = 1) -> String {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: 40) { (out: inout OutputSpan<UInt8>) in
        if value.isFinite { out.append(value, decimals: decimals) } else { out.append("-") }
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// RFC 3339 with milliseconds.
func timestamp(_ instant: UTCInstant) -> String {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: 32) { (out: inout OutputSpan<UInt8>) in out.append(timestamp: instant.milliseconds) }
    return String(decoding: bytes, as: UTF8.self)
}
