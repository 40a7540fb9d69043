extension NMEABenchmark {
    func report(_ result: Result) -> String {
        let rows = [
            ["reading NMEA 0183", "MB/s of a core", "lowest", "highest"],
            [
                "ours: bytes to locations", fixed(result.ours.median, 0), fixed(result.ours.lowest, 0),
                fixed(result.ours.highest, 0),
            ],
            [
                "C: sentences alone", fixed(result.peer.median, 0), fixed(result.peer.lowest, 0),
                fixed(result.peer.highest, 0),
            ],
        ]
        let allocations = result.allocations.map(String.init) ?? "not counted here"
        return """
            \(table(rows))

            \(result.sentences) sentences, \(result.locations) epochs, \(result.bytes) bytes; medians of \(settings.rounds)
            heap allocations in steady state: \(allocations)
            one epoch: \(fixed(result.epoch, 0)) ns; at 25 Hz \(fixed(result.epoch * 25 / 1e7, 4)) % of a core
            """
    }

    func verdict(_ result: Result) -> (text: String, isReached: Bool) {
        let ratio = result.peer.median / result.ours.median
        let goals: [(String, String, String, Bool)] = [
            ("MB/s", fixed(result.ours.median, 0), "at least 50", result.ours.median >= 50),
            ("C reader's speed / ours", fixed(ratio, 2), "at most 3", ratio <= 3),
            (
                "allocations", result.allocations.map(String.init) ?? "not counted", "0",
                result.allocations.map { $0 == 0 } ?? true
            ),
            ("% of a core at 25 Hz", fixed(result.epoch * 25 / 1e7, 4), "under 0.5", result.epoch * 25 / 1e7 < 0.5),
        ]
        let text = goals.map { "\($0.0): \($0.1), goal: \($0.2)\($0.3 ? "" : "  MISSED")" }
        return (text.joined(separator: "\n"), goals.allSatisfy(\.3))
    }
}
