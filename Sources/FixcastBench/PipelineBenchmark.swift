/// The agent's whole way from a gpsd log to the broker's acknowledgement, beside a C loop that publishes the same bytes.
struct PipelineBenchmark {
    struct Settings {
        var fixes = 200_000
        var rounds = 5
        /// Where the agent and the C program are.
        var programs: String
    }

    /// The goals of P1 and P2 for this comparison.
    static let ratioGoal = 1.5
    static let privateMemoryGoal = 4_000_000

    /// What was measured at one quality of service.
    struct Comparison {
        var qos: Int
        var agent: [Usage] = []
        var peer: [Usage] = []

        var ratio: Double { Summary(agent.map(\.cpu)).median / Summary(peer.map(\.cpu)).median }
        var privateMemory: Int { agent.compactMap(\.privateMemory).max() ?? 0 }
    }

    let settings: Settings
    let directory: String
    let port: UInt16

    func run() throws(BenchmarkError) -> [Comparison] {
        try Files.write(DriveLog.gpsd(fixes: settings.fixes), to: path("drive.log"))
        let messages = try capture().takenApart(topic: "fleet/bench")
        var comparisons: [Comparison] = []
        for qos in [0, 1] {
            try Files.write(messages.lines(qos: qos), to: path("messages"))
            try writeConfiguration(qos: qos)
            var comparison = Comparison(qos: qos)
            // In turn, so that both meet the same moods of the machine.
            for _ in 0..<settings.rounds {
                comparison.agent.append(try runAgent())
                comparison.peer.append(try runPeer())
            }
            comparisons.append(comparison)
        }
        return comparisons
    }

    private func path(_ name: String) -> String { "\(directory)/\(name)" }

    // MARK: The agent

    private func writeConfiguration(qos: Int, encoding: String = "compact") throws(BenchmarkError) {
        let text = """
            vehicle: bench
            provider: { type: replay, replay: { file: "\(path("drive.log"))", speed: 0 } }
            checks: { max-age: 0s, max-accuracy: 0m }
            reporting: { moving: { max-error: 0m, min-interval: 0s } }
            mqtt: { url: "mqtt://127.0.0.1:\(port)", qos: \(qos), backlog: { encoding: \(encoding), start-jitter: 0s } }
            outbox: { directory: "\(path("state"))" }
            log: { level: warning }

            """
        try Files.write(Array(text.utf8), to: path("agent.yaml"))
    }

    private func runAgent() throws(BenchmarkError) -> Usage {
        var agent = try ChildProcess(
            ["\(settings.programs)/fixcast-agent", "run", "--until-end", "-c", path("agent.yaml")],
            log: path("agent.log"))
        return try agent.wait(seconds: 120)
    }

    // MARK: The C loop

    private func runPeer() throws(BenchmarkError) -> Usage {
        var peer = try ChildProcess(
            ["\(settings.programs)/bench-publish-c", String(port), "100", path("messages")], log: path("peer.log"))
        return try peer.wait(seconds: 120)
    }

    // MARK: The messages

    /// Lets the agent run once and takes down what it publishes about positions.
    private func capture() throws(BenchmarkError) -> CapturedMessages {
        try writeConfiguration(qos: 1, encoding: "json")
        var subscriber = try ChildProcess(
            [
                "mosquitto_sub", "-V", "5", "-h", "127.0.0.1", "-p", String(port), "-q", "1",
                "-t", "fleet/bench/location", "-t", "fleet/bench/track", "--retain-as-published",
                "-F", "%r %E %t %p", "-i", "bench-capture",
            ], log: path("subscriber.log"), output: path("captured"))
        Clock.sleep(milliseconds: 500)
        _ = try runAgent()
        var messages = CapturedMessages(text: [])
        let deadline = Clock.now() + 30
        // The agent is done when its messages are acknowledged, which is before the subscriber has them all.
        while Clock.now() < deadline {
            Clock.sleep(milliseconds: 200)
            let next = CapturedMessages(text: try Files.read(path("captured")))
            if next.count == messages.count, next.reports >= settings.fixes { break }
            messages = next
        }
        subscriber.terminate()
        _ = try subscriber.wait(seconds: 10)
        guard messages.reports == settings.fixes else {
            throw BenchmarkError("of \(settings.fixes) fixes \(messages.reports) were published")
        }
        return messages
    }
}
