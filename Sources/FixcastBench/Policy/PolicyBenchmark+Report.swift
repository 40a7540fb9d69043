internal import Evaluation
internal import Reporting
internal import TrackDrawing

extension PolicyBenchmark {
    /// The messages that dead reckoning may need, as a share of what the distance filter needs whose receiver is as far
    /// off at the 99th percentile.
    static let goals = [(bound: 15.0, share: 1 / 4.5), (bound: 50.0, share: 1 / 3.5)]
    /// At 10 m, messages as a multiple of the fewest straight motions.
    static let optimumGoal = 3.2
    /// The share over drives of one fix a second.
    static let oneHertzGoal = 0.12

    func report(_ rows: [Row], over tracks: [PolicyTrack]) -> String {
        let hours = tracks.reduce(0) { $0 + $1.hours }
        var lines = [["policy", "messages/h", "bytes/h", "mean, m", "p95, m", "p99, m", "largest, m"]]
        for row in rows {
            let outcome = row.outcome
            lines.append([
                row.name, fixed(outcome.messagesPerHour, 1), fixed(outcome.bytesPerHour, 0),
                fixed(outcome.meanError, 1), fixed(outcome.errorPercentile(0.95), 1),
                fixed(outcome.errorPercentile(0.99), 1), fixed(outcome.largestError, 1),
            ])
        }
        for bound in Self.bounds {
            let count = optimum(bound: bound, over: tracks)
            lines.append([
                "fewest straight motions, \(fixed(bound, 0)) m", fixed(hours > 0 ? Double(count) / hours : 0, 1), "",
                "",
                "", "", fixed(bound, 1),
            ])
        }
        return "\(tracks.count) drives, \(fixed(hours, 2)) h\n" + table(lines)
    }

    /// Each drive by itself at 15 m.
    func perTrack() -> String {
        var lines = [["drive", "h", "fixes", "every fix/h", "Teltonika/h", "Fixcast 15 m/h", "p99, m", "largest, m"]]
        for track in tracks {
            let ours = Self.run(Self.policy(bound: 15, prediction: .strict), over: [track])
            let peer = PolicyRun.run(ThresholdPolicy.peers[2], over: track)
            lines.append([
                track.name, fixed(track.hours, 2), "\(track.fixes.count)",
                fixed(track.hours > 0 ? Double(track.fixes.count) / track.hours : 0, 0),
                fixed(peer.messagesPerHour, 0), fixed(ours.messagesPerHour, 0),
                fixed(ours.errorPercentile(0.99), 1), fixed(ours.largestError, 1),
            ])
        }
        return table(lines)
    }

    func verdict() -> (text: String, isReached: Bool) {
        var (texts, isReached) = ([String](), true)
        func judge(_ name: String, _ value: Double, _ goal: Double) {
            texts.append("\(name) \(fixed(value, 3)), goal at most \(fixed(goal, 3))")
            if value > goal { isReached = false }
        }
        for goal in Self.goals {
            judge("share of the distance filter at \(fixed(goal.bound, 0)) m", share(goal.bound, real), goal.share)
        }
        let fast = real.filter(\.isOneHertz)
        if !fast.isEmpty { judge("share over 1 Hz drives at 15 m", share(15, fast), Self.oneHertzGoal) }
        let ours = Self.run(Self.policy(bound: 10, prediction: .lazy), over: real)
        judge(
            "multiple of the fewest motions at 10 m",
            Double(ours.messages) / Double(max(1, optimum(bound: 10, over: real))), Self.optimumGoal)
        return (texts.joined(separator: "; ") + (isReached ? ": reached" : ": missed"), isReached)
    }

    private func share(_ bound: Double, _ tracks: [PolicyTrack]) -> Double {
        let ours = Self.run(Self.policy(bound: bound, prediction: .lazy), over: tracks)
        let filter = PolicyRun.distanceFilter(withError: ours.errorPercentile(0.99), over: tracks)
        return Double(ours.messages) / Double(max(1, filter.messages))
    }

    func chart(_ rows: [Row]) -> String {
        func points(_ prefix: String, _ rest: Int) -> [ScatterChart.Point] {
            rows.filter { $0.name.hasPrefix(prefix) }.map {
                ScatterChart.Point(
                    x: $0.outcome.messagesPerHour, y: $0.outcome.errorPercentile(0.99),
                    label: String($0.name.dropFirst(rest)))
            }
        }
        let peers = ThresholdPolicy.peers.compactMap { peer in rows.first { $0.name == peer.name } }
        return ScatterChart(
            title: "What a position costs", x: "messages an hour", y: "receiver's error, 99th percentile, m",
            series: [
                .init("Fixcast, strict", color: "#1f6fb4", points("Fixcast strict", 16)),
                .init("Fixcast, lazy", color: "#58a6e0", points("Fixcast lazy", 14)),
                .init("distance filter", color: "#c0392b", points("distance", 9)),
                .init("time", color: "#7f8c8d", points("every", 6)),
                .init(
                    "trackers", color: "#e67e22", isJoined: false,
                    peers.map {
                        .init(
                            x: $0.outcome.messagesPerHour, y: $0.outcome.errorPercentile(0.99), label: $0.name,
                            isLabelLeft: $0.name.contains("Trac"))
                    }),
            ]
        ).svg()
    }
}
