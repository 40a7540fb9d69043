internal import Positioning

/// One log, read by us and by gpsd. What gpsd reports after a sentence is compared with the epoch of ours to which the
/// sentence belongs; of several reports the last counts, which is the most complete.
struct LogAgreement {
    private(set) var ours: [ReceiverEpoch]
    /// gpsd's reports.
    private(set) var reports: [GPSDReport]
    /// Epochs that both told.
    private(set) var matched = 0
    /// Of those that could be compared in the field, how many there are, and how many agree.
    private(set) var compared: [AgreementDifference.Field: Int] = [:]
    private(set) var agreed: [AgreementDifference.Field: Int] = [:]
    private(set) var differences: [AgreementDifference] = []

    init(log: [UInt8], output: String) {
        let (epochs, sentences) = ReceiverEpoch.all(in: log)
        ours = epochs
        let told = GPSDReport.all(in: output, of: sentences)
        reports = told.reports
        var next = 0
        var precision: [RawSentence] = []
        for (number, epoch) in ours.enumerated() {
            let first = next
            while next < reports.count, reports[next].sentence < epoch.range.upperBound { next += 1 }
            var difference = AgreementDifference(field: .epoch, ours: epoch, theirs: Array(reports[first..<next]))
            let listed = epoch.sentences("GSA")
            if !listed.isEmpty { precision = listed }
            difference.precision = precision
            difference.isSingle =
                number > 0 && number + 1 < ours.count
                && [ours[number - 1], ours[number + 1]].allSatisfy { neighbour in
                    reports.contains { neighbour.range.contains($0.sentence) }
                }
            difference.isInterrupted = told.interrupted.contains { epoch.range.contains($0) }
            difference.previousTheirs = first > 0 ? reports[first - 1] : nil
            guard let last = difference.theirs.last else {
                differences.append(difference)
                continue
            }
            matched += 1
            for (field, isSame) in Self.compare(epoch, last) {
                compared[field, default: 0] += 1
                difference.field = field
                if isSame { agreed[field, default: 0] += 1 } else { differences.append(difference) }
            }
        }
        for report in reports[next...] {
            var difference = AgreementDifference(field: .epoch, theirs: [report])
            difference.isWithoutChecksums = sentences.isEmpty
            differences.append(difference)
        }
    }

    /// The fields that one of both has, and whether the other has the same.
    private static func compare(_ mine: ReceiverEpoch, _ other: GPSDReport) -> [(AgreementDifference.Field, Bool)] {
        var fields: [(AgreementDifference.Field, Bool)] = [(.mode, mine.mode == max(1, other.mode))]
        guard let location = mine.location, other.hasFix else { return fields }
        fields.append((.time, mine.time == other.time))
        fields.append(
            (
                .position,
                same(location.coordinate.latitude, other.latitude, 1e-7)
                    && same(location.coordinate.longitude, other.longitude, 1e-7)
            ))
        // As precisely as gpsd writes them.
        let rest: [(AgreementDifference.Field, Double?, Double?, Double)] = [
            (.speed, location.speed, other.speed, 0.000_51), (.course, location.course, other.course, 0.000_051),
            (.altitude, location.altitude, other.altitude, 0.000_051),
        ]
        for (field, a, b, tolerance) in rest where a != nil || b != nil {
            fields.append((field, same(a, b, tolerance)))
        }
        return fields
    }

    private static func same(_ a: Double?, _ b: Double?, _ tolerance: Double) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return abs(a - b) <= tolerance
    }
}
