public import Positioning
internal import WireText

/// A batch of reports of one boot, oldest first (WIRE.md, Two lanes).
public struct TrackMessage: Equatable, Sendable {
    public var instance: String
    public var boot: UInt64
    public var reports: [Report]
    /// Why some of the batch's reports could not be read; the others are not lost for it.
    public var refused: [WireError]

    public init(instance: String, boot: UInt64, reports: [Report], refused: [WireError] = []) {
        self.instance = instance
        self.boot = boot
        self.reports = reports
        self.refused = refused
    }
}

/// The JSON form of a track message: `{"v":1,"inst":…,"boot":…,"reports":[…]}`, each report without `v`, `inst` and
/// `boot`.
public enum TrackJSON {
    /// Appends one batch; all reports are of one instance and boot.
    public static func encode(_ reports: [Report], into buffer: inout [UInt8]) {
        guard let first = reports.first?.identity else { preconditionFailure("a batch holds a report") }
        buffer.append(addingCapacity: 80 + 6 * first.instance.utf8.count) { (out: inout OutputSpan<UInt8>) in
            out.append("{\"v\":1,\"inst\":")
            out.append(json: first.instance)
            out.append(",\"boot\":")
            out.append(integer: first.boot)
            out.append(",\"reports\":[")
        }
        for (index, report) in reports.enumerated() {
            precondition(
                report.identity.boot == first.boot && report.identity.instance == first.instance,
                "a batch is of one boot")
            buffer.append(addingCapacity: ReportJSON.reportRoom(report) + 2) { (out: inout OutputSpan<UInt8>) in
                out.append(index == 0 ? "{" : ",{")
                ReportJSON.writeMembers(of: report, to: &out)
            }
        }
        buffer.append(UInt8(ascii: "]"))
        buffer.append(UInt8(ascii: "}"))
    }

    /// Reads one batch of at most 1 MiB.
    public static func decode(_ payload: Span<UInt8>) throws(WireError) -> TrackMessage {
        try decodeMessage(.track, payload, limit: 1 << 20) {
            (json: inout JSONReader, context: inout DecodingContext) throws(JSONError) in
            var hasVersion = false
            var instance: String?
            var boot: UInt64?
            var batch: TrackMessage?
            try json.beginObject()
            while let key = try json.nextKey() {
                context.key = key
                if try json.readNull() { continue }
                switch key {
                case "v": hasVersion = try context.readVersion(&json)
                case "inst": instance = try context.readInstance(&json)
                case "boot": boot = try context.readOrdinal(&json)
                case "reports": batch = try readReports(&json, &context)
                default: break
                }
            }
            guard hasVersion else { throw context.missing("v", json) }
            guard let instance else { throw context.missing("inst", json) }
            guard let boot else { throw context.missing("boot", json) }
            guard var batch else { throw context.missing("reports", json) }
            batch.instance = instance
            batch.boot = boot
            for index in batch.reports.indices {
                batch.reports[index].identity.instance = instance
                batch.reports[index].identity.boot = boot
            }
            return batch
        }
    }

    /// Reads one batch of at most 1 MiB.
    public static func decode(_ payload: [UInt8]) throws(WireError) -> TrackMessage { try decode(payload.span) }

    private static func readReports(
        _ json: inout JSONReader, _ context: inout DecodingContext
    ) throws(JSONError) -> TrackMessage {
        var batch = TrackMessage(instance: "", boot: 0, reports: [])
        try json.beginArray()
        let depth = json.depth
        while try json.nextElement() {
            do throws(JSONError) {
                var members = ReportMembers()
                try members.read(&json, &context)
                batch.reports.append(try members.report("", 0, json, &context))
            } catch {
                // Well-formed but wrong is this report's fault alone; what is malformed ends the batch.
                guard error.code == .type || error.code == .range else { throw error }
                batch.refused.append(context.report(error, in: .track))
                try json.leave(to: depth)
            }
        }
        return batch
    }
}
