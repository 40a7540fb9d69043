internal import Positioning

/// Feeds the reader of the compact form with bytes from outside, for the fuzz target and the mutation tests: whatever they
/// are, nothing traps, nothing hangs, memory stays bounded, and what was read can be written and read again in both forms.
package enum TrackCheck {
    /// Returns how many reports came out; traps where a promise is broken.
    @discardableResult
    package static func read(_ bytes: Span<UInt8>) -> Int {
        guard let message = try? CompactTrack.decode(bytes) else { return 0 }
        precondition(message.reports.count + message.refused.count <= CompactTrack.reportLimit, "reports are bounded")
        guard canBeWritten(message.reports) else { return message.reports.count }
        // Only then at the resolution of the wire.
        let once = again(message.reports)
        var (compact, json, third): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        CompactTrack.encode(once, into: &compact)
        CompactTrack.encode(again(once), into: &third)
        precondition(compact == third, "what was read is written the same")
        TrackJSON.encode(once, into: &json)
        // The JSON form of the same reports may be too large.
        guard json.count <= 1 << 20 else { return once.count }
        guard let read = try? TrackJSON.decode(json), read.refused.isEmpty else {
            preconditionFailure("the JSON form carries what the compact form does")
        }
        third = []
        CompactTrack.encode(read.reports, into: &third)
        precondition(compact == third, "both forms carry the same")
        return once.count
    }

    private static func again(_ reports: [Report]) -> [Report] {
        var bytes: [UInt8] = []
        CompactTrack.encode(reports, into: &bytes)
        guard let message = try? CompactTrack.decode(bytes), message.refused.isEmpty else {
            preconditionFailure("what was read can be written and read")
        }
        precondition(message.reports.count == reports.count, "no report is lost")
        return message.reports
    }

    /// Where some were refused, those around them may be too far apart for a column.
    private static func canBeWritten(_ reports: [Report]) -> Bool {
        guard var last = reports.first?.identity.sequence else { return false }
        for report in reports {
            let gap = Int64(bitPattern: report.identity.sequence &- last)
            guard gap.magnitude < 1 << 52 else { return false }
            last = report.identity.sequence
        }
        return true
    }
}
