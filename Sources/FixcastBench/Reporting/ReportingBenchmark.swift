internal import BenchProbes
internal import Positioning
internal import Reporting

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What checks and triggers cost for one fix: a made-up drive with turns and stops, 1 Hz, through the reporting machine.
struct ReportingBenchmark {
    struct Settings {
        var fixes = 100_000
        var rounds = 5
    }

    /// What one policy cost.
    struct Result {
        var name: String
        /// Nanoseconds of CPU time for one fix.
        var cost: Summary
        var reports: Int
        /// Heap allocations in one round in steady state; `nil` where they cannot be counted.
        var allocations: UInt64?
    }

    /// The goal P8, in nanoseconds.
    static let costGoal = 1000.0

    let settings: Settings

    private static let policies: [(name: String, policy: ReportingPolicy)] = {
        func policy(_ profile: ReportingPolicy.Profile) -> ReportingPolicy {
            ReportingPolicy(moving: profile, stationary: profile)
        }
        return [
            ("strict, 15 m", .standard), ("lazy, 15 m", policy(.init(prediction: .lazy))),
            (
                "distance, course, speed",
                policy(.init(maxError: 0, minDistance: 100, minHeadingChange: 10, minSpeedChange: 3))
            ),
            ("every fix", policy(.init(minInterval: .zero, maxError: 0))),
        ]
    }()

    func run() -> [Result] {
        let drive = Self.drive(settings.fixes)
        var costs = Self.policies.map { _ in [Double]() }
        var results: [Result] = []
        // In turn, so that all meet the same moods of the machine; the first round warms up.
        for round in 0...settings.rounds {
            for (index, entry) in Self.policies.enumerated() {
                var run = Run(entry.policy)
                let start = Clock.processorTime()
                run.take(drive)
                let cost = (Clock.processorTime() - start) / Double(drive.count) * 1e9
                if round > 0 { costs[index].append(cost) }
            }
        }
        for (index, entry) in Self.policies.enumerated() {
            var run = Run(entry.policy)
            run.take(drive)
            let reports = run.reports
            let before = allocation_count()
            run.take(drive)
            let allocations = before > 0 ? allocation_count() - before : nil
            results.append(
                Result(name: entry.name, cost: Summary(costs[index]), reports: reports, allocations: allocations))
        }
        return results
    }

    func report(_ results: [Result]) -> String {
        let head = ["checks and triggers of a fix", "ns of a core", "lowest", "highest", "reports", "allocations"]
        let rows = results.map { result in
            [
                result.name, fixed(result.cost.median, 0), fixed(result.cost.lowest, 0), fixed(result.cost.highest, 0),
                String(result.reports), result.allocations.map { String($0) } ?? "not counted here",
            ]
        }
        return table([head] + rows) + "\n\n\(settings.fixes) fixes; medians of \(settings.rounds)"
    }

    func verdict(_ results: [Result]) -> (text: String, isReached: Bool) {
        let cost = results.map(\.cost.median).max() ?? .infinity
        let allocations = results.compactMap(\.allocations).max() ?? 0
        let isReached = cost < Self.costGoal && allocations == 0
        return (
            "ns of a fix: \(fixed(cost, 0)), goal under \(fixed(Self.costGoal, 0)); allocations: \(allocations), goal 0: "
                + (isReached ? "reached" : "missed"),
            isReached
        )
    }

    private struct Run {
        private var machine: ReportingMachine
        private(set) var reports = 0
        private var second: Int64 = 0

        init(_ policy: ReportingPolicy) {
            machine = ReportingMachine(policy: policy, start: MonotonicInstant(nanoseconds: 0))
        }

        /// Drives the route once more; time goes on.
        mutating func take(_ drive: [Location]) {
            for index in drive.indices {
                var fix = drive[index]
                fix.timestamp = UTCInstant(milliseconds: 1_796_010_000_000 + second * 1000)
                let now = MonotonicInstant(nanoseconds: second * 1_000_000_000)
                second += 1
                if case .send = machine.receive(fix, now: now, utc: fix.timestamp) { reports += 1 }
            }
        }
    }

    /// Back and forth through a town: legs of a minute, gentle turns in between, a stop now and then.
    private static func drive(_ count: Int) -> [Location] {
        var place = Coordinate(latitude: 52.5, longitude: 13.4)
        var (speed, course) = (0.0, 0.0)
        return (0..<count).map { second in
            let isStopping = second % 300 > 250
            speed = max(0, min(14, speed + (isStopping ? -2 : 1.5)))
            if second % 60 < 6, speed > 2 { course = Geodesy.normalizedCourse(course + (second % 120 < 60 ? 15 : -30)) }
            place = Geodesy.destination(from: place, course: course, distance: speed)
            // About a metre of scatter, the same in every run.
            let scatter = Double((second &* 7919) % 101 - 50) / 50
            let seen = Geodesy.destination(from: place, course: Double((second &* 104_729) % 360), distance: scatter)
            var fix = Location(coordinate: seen, horizontalAccuracy: 4)
            fix.speed = speed
            fix.course = course
            fix.fix = .threeD
            fix.source = "gpsd, which has a name that is no small string"
            return fix
        }
    }
}
