public import Positioning
internal import WireText

/// The JSON form of a report (WIRE.md, Report).
///
/// Written: the keys in the order of WIRE.md, absent where unknown; `lat` and `lon` with 7 decimals, accuracies, `up`
/// and `due` with 3, altitude, speed, HDOP, `bound` and `mv` with 2, course with 1; never NaN or an infinity, and no
/// accuracy at or below zero. Read: unknown keys and words are passed over, `null` is absent, the last of duplicate
/// keys wins, a value of the wrong kind or an impossible identity or time refuses the whole, a number that its key
/// cannot mean (negative speed, course beyond 360, …) is unknown, and what the position itself shows (rules 1 to 3 of
/// SEMANTICS: no usable accuracy, an incorrect coordinate, no fix) is among its reasons even where the sender forgot.
public enum ReportJSON {
    /// Appends one report, allocating nothing but room in `buffer`.
    public static func encode(_ report: Report, into buffer: inout [UInt8]) {
        let room = reportRoom(report) + 6 * report.identity.instance.utf8.count
        buffer.append(addingCapacity: room) { (out: inout OutputSpan<UInt8>) in
            out.append("{\"v\":1,\"inst\":")
            out.append(json: report.identity.instance)
            out.append(",\"boot\":")
            out.append(integer: report.identity.boot)
            out.append(",")
            writeMembers(of: report, to: &out)
        }
    }

    /// Reads one report of at most 64 KiB.
    public static func decode(_ payload: Span<UInt8>) throws(WireError) -> Report {
        try decodeMessage(.report, payload, limit: 1 << 16) {
            (json: inout JSONReader, context: inout DecodingContext) throws(JSONError) in
            var members = ReportMembers()
            try members.read(&json, &context)
            guard members.hasVersion else { throw context.missing("v", json) }
            guard let instance = members.instance else { throw context.missing("inst", json) }
            guard let boot = members.boot else { throw context.missing("boot", json) }
            return try members.report(instance, boot, json, &context)
        }
    }

    /// Reads one report of at most 64 KiB.
    public static func decode(_ payload: [UInt8]) throws(WireError) -> Report { try decode(payload.span) }

    /// Bytes that the members from `seq` on take at most.
    static func reportRoom(_ report: Report) -> Int {
        1500 + 6 * (report.location.source?.utf8.count ?? 0) + (report.location.passedValues?.json.count ?? 0)
    }

    /// Writes the members from `seq` on and the closing brace.
    static func writeMembers(of report: Report, to out: inout OutputSpan<UInt8>) {
        let location = report.draft.location
        out.append("\"seq\":")
        out.append(integer: report.identity.sequence)
        if let time = location.timestamp {
            out.append(",\"time\":\"")
            out.append(timestamp: time.milliseconds)
            out.append("\"")
        }
        writeNumber(",\"up\":", report.draft.uptime, decimals: 3, to: &out)
        if location.coordinate.latitude.isFinite, location.coordinate.longitude.isFinite {
            out.append(",\"lat\":")
            out.append(location.coordinate.latitude, decimals: 7)
            out.append(",\"lon\":")
            out.append(location.coordinate.longitude, decimals: 7)
        }
        if location.hasUsableAccuracy {
            writeAccuracy(",\"hacc\":", location.horizontalAccuracy, to: &out)
            if location.isAccuracyAssumed { out.append(",\"haccAssumed\":true") }
        }
        if let altitude = location.altitude, altitude.isFinite {
            writeNumber(",\"alt\":", altitude, decimals: 2, to: &out)
            writeWord(",\"altRef\":\"", location.altitudeReference.word, to: &out)
        }
        writeAccuracy(",\"vacc\":", location.verticalAccuracy, to: &out)
        writeNumber(",\"speed\":", WrittenValue.notNegative(location.speed), decimals: 2, to: &out)
        writeAccuracy(",\"sacc\":", location.speedAccuracy, to: &out)
        writeNumber(",\"course\":", location.course.flatMap(WrittenValue.course), decimals: 1, to: &out)
        writeAccuracy(",\"cacc\":", location.courseAccuracy, to: &out)
        writeWord(",\"fix\":\"", location.fix.word, to: &out)
        if let satellites = location.satellitesUsed {
            out.append(",\"sats\":")
            out.append(integer: Int64(satellites))
        }
        writeNumber(",\"hdop\":", location.hdop, decimals: 2, to: &out)
        if let source = location.source {
            out.append(",\"src\":")
            out.append(json: source)
        }
        if location.isSimulated { out.append(",\"sim\":true") }
        if location.isExtrapolated { out.append(",\"extrapolated\":true") }
        writeWord(",\"motion\":\"", report.draft.motion?.word, to: &out)
        writeWord(",\"trigger\":\"", report.draft.trigger?.word, to: &out)
        writeNumber(",\"due\":", report.draft.due, decimals: 3, to: &out)
        writeNumber(",\"bound\":", report.draft.bound, decimals: 2, to: &out)
        writeVelocity(report.draft.predictionVelocity, to: &out)
        if let values = location.passedValues, let object = object(values.json) {
            out.append(",\"ext\":")
            out.append(copying: values.json.span.extracting(object))
        }
        if !location.unreliable.isEmpty { writeReasons(location.unreliable, to: &out) }
        out.append("}")
    }

    private static func writeVelocity(_ velocity: Velocity?, to out: inout OutputSpan<UInt8>) {
        guard let velocity = WrittenValue.velocity(velocity) else { return }
        out.append(",\"mv\":[")
        out.append(velocity.north, decimals: 2)
        out.append(",")
        out.append(velocity.east, decimals: 2)
        out.append("]")
    }

    /// Where the object is if the bytes are one and nothing else, so that they cannot spoil the report they travel in.
    static func object(_ json: [UInt8]) -> Range<Int>? {
        let limits = JSONReader.Limits(size: PassedValues.limit, depth: ReportMembers.passedDepth)
        do throws(JSONError) {
            return try JSONReader.read(json.span, limits: limits) { (reader: inout JSONReader) throws(JSONError) in
                guard json.first == UInt8(ascii: "{") else { return nil }
                let range = try reader.skipValueForRange()
                try reader.finish()
                return range
            }
        } catch {
            return nil
        }
    }

    private static func writeReasons(_ reasons: UnreliableReasons, to out: inout OutputSpan<UInt8>) {
        out.append(",\"unreliable\":[")
        var isFirst = true
        UnreliableReasons.forEachWord { reason, word in
            guard reasons.contains(reason) else { return }
            out.append(isFirst ? "\"" : ",\"")
            out.append(word)
            out.append("\"")
            isFirst = false
        }
        out.append("]")
    }
}

@inline(__always)
private func writeNumber(_ key: StaticString, _ value: Double?, decimals: Int, to out: inout OutputSpan<UInt8>) {
    guard let value, value.isFinite else { return }
    out.append(key)
    out.append(value, decimals: decimals)
}

@inline(__always)
private func writeAccuracy(_ key: StaticString, _ value: Double?, to out: inout OutputSpan<UInt8>) {
    writeNumber(key, WrittenValue.accuracy(value), decimals: 3, to: &out)
}

@inline(__always)
private func writeWord(_ key: StaticString, _ word: StaticString?, to out: inout OutputSpan<UInt8>) {
    guard let word else { return }
    out.append(key)
    out.append(word)
    out.append("\"")
}
