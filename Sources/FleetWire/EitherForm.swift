public import Positioning

// Payloads in either form, told apart by the first byte: `{` is JSON, anything else the compact form (WIRE.md).

extension Report {
    /// Reads the payload of a `location` message of at most 64 KiB; in the compact form it is a batch of one report.
    public init(payload: [UInt8]) throws(WireError) {
        guard payload.first != UInt8(ascii: "{"), !payload.isEmpty else {
            self = try ReportJSON.decode(payload)
            return
        }
        guard payload.count <= 1 << 16 else { throw WireError(.size, in: .report) }
        do throws(WireError) {
            let track = try CompactTrack.decode(payload)
            if let refused = track.refused.first { throw refused }
            guard track.reports.count == 1 else {
                throw WireError(.value, in: .report, key: TrackField.count.name)
            }
            self = track.reports[0]
        } catch {
            throw WireError(error.code, in: .report, key: error.key)
        }
    }
}

extension TrackMessage {
    /// Reads the payload of a `track` message of at most 1 MiB.
    public init(payload: [UInt8]) throws(WireError) {
        let isJSON = payload.isEmpty || payload[0] == UInt8(ascii: "{")
        self = isJSON ? try TrackJSON.decode(payload) : try CompactTrack.decode(payload)
    }
}
