extension PipelineBenchmark {
    /// The comparisons as a table: medians, with the lowest and the highest in parentheses.
    func report(_ comparisons: [Comparison]) -> String {
        var rows = [["", "QoS", "CPU, µs a fix", "switches a fix", "private, MB", "s"]]
        for comparison in comparisons {
            rows.append(row("fixcast-agent", comparison.qos, comparison.agent))
            rows.append(row("C over libmosquitto", comparison.qos, comparison.peer))
            rows.append(["ratio", String(comparison.qos), fixed(comparison.ratio, 2), "", "", ""])
        }
        return """
            \(settings.fixes) fixes from a gpsd log to the broker; medians of \(settings.rounds) runs in turn
            \(table(rows))
            """
    }

    /// The figures beside their goals, and whether they reach them.
    func verdict(_ comparisons: [Comparison]) -> (text: String, isReached: Bool) {
        let ratio = comparisons.last { $0.qos == 1 }?.ratio ?? .infinity
        let memory = comparisons.map(\.privateMemory).max() ?? .max
        let isReached =
            ratio <= PipelineBenchmark.ratioGoal && memory > 0 && memory < PipelineBenchmark.privateMemoryGoal
        let text = """
            ratio at QoS 1 \(fixed(ratio, 2)), goal at most \(fixed(PipelineBenchmark.ratioGoal, 2)); \
            private memory \(megabytes(memory)) MB, goal under \(megabytes(PipelineBenchmark.privateMemoryGoal)) MB: \
            \(isReached ? "reached" : "missed")
            """
        return (text, isReached)
    }

    private func row(_ name: String, _ qos: Int, _ runs: [Usage]) -> [String] {
        let fixes = Double(settings.fixes)
        let cpu = Summary(runs.map { $0.cpu * 1e6 / fixes })
        let switches = Summary(runs.map { Double($0.voluntarySwitches) / fixes })
        let duration = Summary(runs.map(\.duration))
        return [
            name, String(qos), "\(fixed(cpu.median, 2)) (\(fixed(cpu.lowest, 2))…\(fixed(cpu.highest, 2)))",
            fixed(switches.median, 3), runs.compactMap(\.privateMemory).max().map(megabytes) ?? "not seen",
            fixed(duration.median, 1),
        ]
    }

    private func megabytes(_ bytes: Int) -> String { fixed(Double(bytes) / 1e6, 2) }
}
