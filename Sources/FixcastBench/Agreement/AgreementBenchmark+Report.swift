internal import Positioning

extension AgreementBenchmark {
    /// Agreement by log, and how many differences each rule explains.
    func report(listing isListing: Bool) -> String {
        let fields = AgreementDifference.Field.allCases.filter { $0 != .epoch }
        var rows = [["log", "ours", "gpsd", "both"] + fields.map(\.rawValue) + ["explained", "unexplained"]]
        var totals: [AgreementDifference.Field: (agreed: Int, compared: Int)] = [:]
        for result in results {
            let agreement = result.agreement
            var row = [
                result.name, String(agreement.ours.count), String(agreement.reports.count), String(agreement.matched),
            ]
            for field in fields {
                let (agreed, compared) = (agreement.agreed[field] ?? 0, agreement.compared[field] ?? 0)
                totals[field, default: (0, 0)].agreed += agreed
                totals[field, default: (0, 0)].compared += compared
                row.append("\(agreed)/\(compared)")
            }
            row.append(String(result.explained.values.reduce(0, +)))
            row.append(String(result.unexplained.count))
            rows.append(row)
        }
        var last = ["all", "", "", String(results.reduce(0) { $0 + $1.agreement.matched })]
        last += fields.map { "\(totals[$0]?.agreed ?? 0)/\(totals[$0]?.compared ?? 0)" }
        last += [String(results.reduce(0) { $0 + $1.explained.values.reduce(0, +) }), String(unexplained)]
        rows.append(last)
        var text = "Epochs that we and gpsd tell (gpsd: reports), and agreement of those that both have a value for\n\n"
        text += table(rows) + "\n\nWhy the others differ\n\n"
        text += table(
            AgreementRule.all.map { rule in
                [rule.name, String(results.reduce(0) { $0 + ($1.explained[rule.name] ?? 0) })]
            })
        guard isListing else { return text }
        for result in results {
            for difference in result.unexplained { text += "\n\n\(result.name): \(Self.describe(difference))" }
        }
        return text
    }

    private static func describe(_ difference: AgreementDifference) -> String {
        let (mine, location, other) = (difference.ours, difference.ours?.location, difference.theirs.last)
        func text<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "-" }
        let rows = [
            ["", "mode", "latitude", "longitude", "altitude", "speed", "course", "time"],
            [
                "ours", text(mine?.mode), text(location?.coordinate.latitude), text(location?.coordinate.longitude),
                text(location?.altitude), text(location?.speed), text(location?.course), text(mine?.time?.milliseconds),
            ],
            [
                "gpsd", text(other?.mode), text(other?.latitude), text(other?.longitude), text(other?.altitude),
                text(other?.speed), text(other?.course), text(other?.time?.milliseconds),
            ],
        ]
        let sentences = mine?.sentences.map { "$" + $0.fields.joined(separator: ",") } ?? []
        return "\(difference.field.rawValue)\n\(table(rows))\n\(sentences.joined(separator: "\n"))"
    }
}
