public import Positioning
internal import WireText

/// The compact form of a track message: a run of reports of one boot as protobuf, in columns (WIRE.md, Compact payload;
/// `fleet.proto` is the contract). It carries exactly what the JSON form of the same reports carries: what is read from
/// either is equal.
public enum CompactTrack {
    /// Reports in one message at the most.
    public static let reportLimit = 10_000
    /// Bytes of one message at the most.
    public static let sizeLimit = 1 << 20
    /// The content type of MQTT 5 for this form.
    public static let contentType = "application/x-protobuf"

    /// Appends one batch of 1 to ``reportLimit`` reports; all are of one instance and boot, their sequences ascending.
    public static func encode(_ reports: [Report], into buffer: inout [UInt8]) {
        precondition(reports.count > 0, "a batch holds a report")
        precondition(reports.count <= reportLimit, "a batch holds at most \(reportLimit) reports")
        writeHead(reports, into: &buffer)
        var encoder = TrackEncoder(capacity: reports.count)
        encoder.write(reports, into: &buffer)
    }

    /// Reads one batch of at most ``sizeLimit`` bytes. Of properties that come twice the last one counts; unknown fields
    /// are passed over; what is wrong with one report alone refuses that one.
    public static func decode(_ payload: Span<UInt8>) throws(WireError) -> TrackMessage {
        guard payload.count > 0 else { throw WireError(.empty, in: .track) }
        guard payload.count <= sizeLimit else { throw WireError(.size, in: .track) }
        let fields = try TrackFields(payload)
        var decoder = TrackDecoder(fields)
        return try decoder.read(payload)
    }

    /// Reads one batch of at most ``sizeLimit`` bytes.
    public static func decode(_ payload: [UInt8]) throws(WireError) -> TrackMessage { try decode(payload.span) }

    private static func writeHead(_ reports: [Report], into buffer: inout [UInt8]) {
        let first = reports[0].identity
        for index in reports.indices {
            precondition(
                reports[index].identity.boot == first.boot && reports[index].identity.instance == first.instance,
                "a batch is of one boot")
        }
        let instance = first.instance.utf8
        buffer.append(addingCapacity: 48 + instance.count) { (out: inout OutputSpan<UInt8>) in
            out.append(field: TrackField.version.rawValue, varint: 1)
            out.append(tag: TrackField.instance.rawValue, .delimited)
            out.append(varint: UInt64(instance.count))
            for byte in instance { out.append(byte) }
            out.append(field: TrackField.boot.rawValue, varint: first.boot)
            out.append(field: TrackField.sequence.rawValue, varint: first.sequence)
            out.append(field: TrackField.count.rawValue, varint: UInt64(reports.count))
        }
    }
}
