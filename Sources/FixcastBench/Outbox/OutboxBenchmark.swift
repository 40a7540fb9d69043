internal import FleetWire
internal import Positioning

/// A week offline at one report a second: what it costs to store, to open and to send, beside `mosquitto_pub -l` with the
/// same reports in a file.
struct OutboxBenchmark {
    struct Settings {
        /// A week.
        var reports = 604_800
        var rounds = 3
        /// This program.
        var program: String
    }

    struct Result {
        /// µs of CPU a report.
        var appendCPU = 0.0
        var pacedCPU: [Double] = []
        /// Of that, in the kernel.
        var pacedKernel: [Double] = []
        var openings: [Double] = []
        /// Reports a second.
        var drains: [Double] = []
        var drainCPU: [Double] = []
        var bytesSent = 0.0
        var memory = 0.0
        var storedBytes = 0.0
        var peers: [Double] = []
        var peerCPU: [Double] = []
        /// Bytes to disk a report.
        var wearOnline = 0.0
        var wearOffline = 0.0
    }

    static let appendGoal = 20.0
    static let openGoal = 200.0
    static let drainGoal = 50_000.0
    static let memoryGoal = 32e6

    let settings: Settings
    let directory: String
    let port: UInt16

    func run() throws(BenchmarkError) -> Result {
        var result = Result()
        try writeLines()
        for round in 0..<settings.rounds {
            let week = newDirectory("week\(round)")
            let filled = try part(.fill, week, settings.reports)
            result.appendCPU = max(result.appendCPU, filled["cpu"] ?? 0)
            result.storedBytes = Double(Files.size("\(week)/outbox.db")) / Double(settings.reports)
            for _ in 0..<3 {
                result.openings.append(try part(.open, week, settings.reports)["milliseconds"] ?? .infinity)
            }
            // In turn, so that both meet the same moods of the machine.
            let drained = try part(.drain, week, settings.reports)
            result.drains.append(drained["rate"] ?? 0)
            result.drainCPU.append(drained["cpu"] ?? 0)
            result.bytesSent = drained["bytes"] ?? 0
            result.memory = max(result.memory, drained["memory"] ?? .infinity)
            let peer = try runPeer()
            result.peers.append(Double(settings.reports) / peer.duration)
            result.peerCPU.append(peer.cpu / Double(settings.reports) * 1e6)
            Files.remove(week)
            let paced = try part(.paced, newDirectory("paced\(round)"), 7200)
            result.pacedCPU.append(paced["cpu"] ?? .infinity)
            result.pacedKernel.append(paced["kernel"] ?? .infinity)
        }
        result.wearOnline = try part(.wearOnline, newDirectory("online"), 3600)["bytes"] ?? .infinity
        result.wearOffline = try part(.wearOffline, newDirectory("offline"), 3600)["bytes"] ?? .infinity
        return result
    }

    private func newDirectory(_ name: String) -> String { "\(directory)/\(name)" }

    private func part(
        _ part: OutboxPart, _ directory: String, _ reports: Int
    ) throws(BenchmarkError) -> [String: Double] {
        let output = "\(self.directory)/part.out"
        var process = try ChildProcess(
            [
                settings.program, "outbox", "--part", part.rawValue, "--directory", directory, "--reports",
                String(reports), "--port", String(port),
            ], log: "\(self.directory)/part.log", output: output)
        _ = try process.wait(seconds: 300)
        var values: [String: Double] = [:]
        for line in Files.text(output).split(separator: "\n") {
            let parts = line.split(separator: "=")
            if parts.count == 2 { values[String(parts[0])] = Double(parts[1]) }
        }
        return values
    }

    /// The reports as lines of JSON, as their agent would have sent them one by one.
    private func writeLines() throws(BenchmarkError) {
        var drive = BacklogDrive()
        let drafts = (0..<min(settings.reports, 10_000)).map { _ in drive.next() }
        var lines: [UInt8] = []
        for index in 0..<settings.reports {
            let identity = ReportIdentity(instance: "bench1", boot: 1, sequence: UInt64(index + 1))
            ReportJSON.encode(Report(identity: identity, draft: drafts[index % drafts.count]), into: &lines)
            lines.append(UInt8(ascii: "\n"))
            guard (index + 1).isMultiple(of: Self.linesAtOnce) || index + 1 == settings.reports else { continue }
            try Files.write(lines, to: "\(directory)/lines.\(1000 + index / Self.linesAtOnce)")
            lines.removeAll(keepingCapacity: true)
        }
    }

    /// At QoS 1 `mosquitto_pub -l` ends without sending the rest when more than 65 535 lines come faster than they are
    /// acknowledged; so it is given fewer at a time.
    private static let linesAtOnce = 60_000

    private func runPeer() throws(BenchmarkError) -> Usage {
        let publish = "mosquitto_pub -h 127.0.0.1 -p \(port) -V 5 -q 1 -t fleet/bench/track -l"
        let command = "for lines in '\(directory)'/lines.*; do \(publish) < \"$lines\" || exit 1; done"
        var peer = try ChildProcess(["/bin/sh", "-c", command], log: "\(directory)/peer.log")
        return try peer.wait(seconds: 300)
    }
}
