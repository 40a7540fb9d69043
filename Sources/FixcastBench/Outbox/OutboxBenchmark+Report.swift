extension OutboxBenchmark {
    func report(_ result: Result) -> String {
        let rows = [
            ["", "reports/s", "CPU, µs a report", "resident, MB", "bytes a report"],
            [
                "outbox to broker, batches", rate(result.drains), middle(result.drainCPU),
                fixed(result.memory / 1e6, 1), fixed(result.bytesSent, 1),
            ],
            ["mosquitto_pub -l, lines", rate(result.peers), middle(result.peerCPU), "", ""],
        ]
        return """
            \(settings.reports) reports, 1 Hz; medians of \(settings.rounds) runs in turn (lowest…highest)
            \(table(rows))

            appending offline, at once      \(fixed(result.appendCPU, 2)) µs of CPU a report
            appending offline, 1 Hz         \(middle(result.pacedCPU)) µs of CPU a report, on disk within 2 s; \
            \(fixed(Summary(result.pacedKernel).median, 1)) µs of it the kernel's, for the disk
            opening                         \(middle(result.openings)) ms
            database                        \(fixed(result.storedBytes, 1)) bytes a report
            written to disk at 1 Hz         \(fixed(result.wearOnline, 0)) bytes a report online, \
            \(fixed(result.wearOffline, 0)) offline\(result.wearOffline == 0 ? " (not a disk)" : "")
            """
    }

    func verdict(_ result: Result) -> (text: String, isReached: Bool) {
        let drain = Summary(result.drains).median
        let open = Summary(result.openings).median
        let isReached =
            drain >= OutboxBenchmark.drainGoal && result.memory < OutboxBenchmark.memoryGoal
            && result.appendCPU < OutboxBenchmark.appendGoal && open < OutboxBenchmark.openGoal
        let text = """
            drain \(fixed(drain, 0)) reports/s, goal at least \(fixed(OutboxBenchmark.drainGoal, 0)); \
            resident \(fixed(result.memory / 1e6, 1)) MB, goal under \(fixed(OutboxBenchmark.memoryGoal / 1e6, 0)); \
            append \(fixed(result.appendCPU, 2)) µs, goal under \(fixed(OutboxBenchmark.appendGoal, 0)); \
            opening \(fixed(open, 1)) ms, goal under \(fixed(OutboxBenchmark.openGoal, 0)): \
            \(isReached ? "reached" : "missed")
            """
        return (text, isReached)
    }

    private func middle(_ values: [Double]) -> String {
        let summary = Summary(values)
        return "\(fixed(summary.median, 2)) (\(fixed(summary.lowest, 2))…\(fixed(summary.highest, 2)))"
    }

    private func rate(_ values: [Double]) -> String {
        let summary = Summary(values)
        return "\(fixed(summary.median, 0)) (\(fixed(summary.lowest, 0))…\(fixed(summary.highest, 0)))"
    }
}
