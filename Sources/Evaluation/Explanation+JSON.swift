internal import FleetWire
internal import Positioning
internal import Reporting
internal import WireText

extension Explanation {
    /// One object: `events` in order, each report as it would be sent, then `totals`.
    public var json: String {
        var bytes = Array("{\"drive\":".utf8)
        append(text: title, to: &bytes)
        bytes += ",\"events\":[".utf8
        for (index, event) in events.enumerated() {
            bytes += (index == 0 ? "\n" : ",\n").utf8
            append(event, to: &bytes)
        }
        bytes += "\n],\"totals\":".utf8
        appendTotals(to: &bytes)
        bytes += "}\n".utf8
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(_ event: Event, to bytes: inout [UInt8]) {
        switch event {
        case .sent(let report, let size):
            bytes += "{\"sent\":".utf8
            ReportJSON.encode(report, into: &bytes)
            bytes += ",\"bytes\":\(size)}".utf8
        case .rejected(let location, let rejection):
            bytes += "{\"rejected\":\"\(rejection.rule.rawValue)\"".utf8
            appendTime(location.timestamp, to: &bytes)
            bytes += ",\"value\":\(decimal(rejection.value, 3)),\"threshold\":\(decimal(rejection.threshold, 3))}".utf8
        case .gap(let time):
            bytes += "{\"noFix\":true".utf8
            appendTime(time, to: &bytes)
            bytes += "}".utf8
        }
    }

    private func appendTotals(to bytes: inout [UInt8]) {
        let outcome = outcome
        bytes += "{\"fixes\":\(fixes),\"sent\":\(outcome.messages),\"held\":\(held),\"rejected\":{".utf8
        bytes += rejections.map { "\"\($0.rule.rawValue)\":\($0.count)" }.joined(separator: ",").utf8
        bytes += "},\"triggers\":{".utf8
        bytes += triggers.map { "\"\($0.trigger.rawValue)\":\($0.count)" }.joined(separator: ",").utf8
        bytes += "},\"hours\":\(decimal(outcome.hours, 4)),\"bytes\":\(outcome.bytes)".utf8
        bytes += ",\"messagesPerHour\":\(decimal(outcome.messagesPerHour, 2))".utf8
        bytes += ",\"bytesPerHour\":\(decimal(outcome.bytesPerHour, 1))".utf8
        if !outcome.errors.isEmpty {
            bytes += ",\"error\":{\"mean\":\(decimal(outcome.meanError, 2))".utf8
            bytes += ",\"p95\":\(decimal(outcome.errorPercentile(0.95), 2))".utf8
            bytes += ",\"p99\":\(decimal(outcome.errorPercentile(0.99), 2))".utf8
            bytes += ",\"largest\":\(decimal(outcome.largestError, 2))}".utf8
        }
        bytes += "}".utf8
    }

    private func appendTime(_ time: UTCInstant?, to bytes: inout [UInt8]) {
        if let time { bytes += ",\"time\":\"\(timestamp(time))\"".utf8 }
    }

    private func append(text: String, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: 6 * text.utf8.count + 2) { (out: inout OutputSpan<UInt8>) in
            out.append(json: text)
        }
    }
}
