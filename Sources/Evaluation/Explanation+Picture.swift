internal import Positioning
internal import Reporting
public import TrackDrawing

extension Explanation {
    /// Points of a predicted path for each second, at most this many.
    private static let longestPath = 120

    /// The raw track, the reports, and the path that a receiver predicts with its bound.
    public var picture: TrackPicture {
        var picture = TrackPicture(title: title, track: track)
        picture.caption = totals.first ?? ""
        let sent = events.compactMap { event in if case .sent(let report, _) = event { report } else { nil } }
        for (index, report) in sent.enumerated() where report.location.coordinate.isCorrect {
            let end = index + 1 < sent.count ? sent[index + 1].location.timestamp : nil
            let trigger = report.draft.trigger?.rawValue ?? ""
            let time = report.location.timestamp.map { timestamp($0) } ?? ""
            picture.reports.append(
                TrackPicture.Report(
                    place: report.location.coordinate, title: "#\(report.identity.sequence) \(time) \(trigger)",
                    predicted: path(report.draft, until: end), bound: report.draft.bound))
        }
        for case .rejected(let location, _) in events { picture.rejected.append(location.coordinate) }
        return picture
    }

    private func path(_ draft: ReportDraft, until end: UTCInstant?) -> [Coordinate] {
        guard let predictor = Predictor(draft), let start = draft.location.timestamp else { return [] }
        let seconds = min(end.map { Double($0.milliseconds - start.milliseconds) / 1000 } ?? 0, predictor.horizon)
        let steps = max(1, min(Self.longestPath, Int(seconds)))
        return (0...steps).map { step in
            predictor.position(at: start + .milliseconds(Int64(1000 * seconds * Double(step) / Double(steps))))
        }
    }
}
