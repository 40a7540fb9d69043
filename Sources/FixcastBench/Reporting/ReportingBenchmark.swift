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
        // The first half warms up.
        let drive = Self.drive(2 * settings.fixes)
        var costs = Self.policies.map { _ in [Double]() }
        var results = Self.policies.map { Result(name: $0.name, cost: Summary([0]), reports: 0, allocations: nil) }
        // In turn, so that all meet the same moods of the machine.
        for _ in 0..<settings.rounds {
            for (index, entry) in Self.policies.enumerated() {
                var machine = ReportingMachine(policy: entry.policy, start: MonotonicInstant(nanoseconds: 0))
                _ = Self.put(drive, 0..<settings.fixes, through: &machine)
                let allocations = allocation_count()
                let start = Clock.processorTime()
                results[index].reports = Self.put(drive, settings.fixes..<drive.count, through: &machine)
                costs[index].append((Clock.processorTime() - start) / Double(settings.fixes) * 1e9)
                results[index].allocations = allocations > 0 ? allocation_count() - allocations : nil
            }
        }
        for index in results.indices { results[index].cost = Summary(costs[index]) }
        return results
    }

    /// Answers how many reports were made.
    private static func put(_ drive: [Location], _ range: Range<Int>, through machine: inout ReportingMachine) -> Int {
        var reports = 0
        for index in range {
            let now = MonotonicInstant(nanoseconds: Int64(index) * 1_000_000_000)
            if case .send = machine.receive(drive[index], now: now, utc: drive[index].timestamp) { reports += 1 }
        }
        return reports
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
            var fix = Location(
                coordinate: seen, horizontalAccuracy: 4,
                timestamp: UTCInstant(milliseconds: 1_796_010_000_000 + Int64(second) * 1000))
            fix.speed = speed
            fix.course = course
            fix.fix = .threeD
            fix.source = "gpsd, which has a name that is no small string"
            return fix
        }
    }
}
