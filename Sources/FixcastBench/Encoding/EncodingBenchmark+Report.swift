extension EncodingBenchmark {
    func report(_ sizes: [Size], _ perTrack: [Size], _ costs: [Cost]) -> String {
        let head = Content.allCases.map(\.rawValue)
        let costRows = costs.map { [$0.name, fixed($0.encoding.median, 0), fixed($0.decoding.median, 0)] }
        return """
            \(table([["bytes a report"] + head] + sizes.map(row)))

            \(table([["compact x \(settings.batch), by drive"] + head] + perTrack.map(row)))

            \(table([["ns of a core a report", "encode", "decode"]] + costRows))

            recorded drives at 1 Hz; the second column over those that say speed, course and accuracy; medians of \
            \(settings.rounds)
            """
    }

    private func row(_ size: Size) -> [String] {
        [size.name] + size.bytes.map { $0.map { fixed($0, 2) } ?? "not measured" }
    }

    func verdict(_ sizes: [Size]) -> (text: String, isReached: Bool) {
        let compact = sizes[sizes.count - 1].bytes.map { $0 ?? .infinity }
        let lines = zip(Content.allCases, zip(compact, Self.goals)).map { content, figures in
            "\(content.rawValue): \(fixed(figures.0, 2)) bytes a report, goal under \(fixed(figures.1, 0)): "
                + (figures.0 < figures.1 ? "reached" : "missed")
        }
        return (lines.joined(separator: "\n"), zip(compact, Self.goals).allSatisfy { $0 < $1 })
    }
}
