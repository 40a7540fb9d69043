import FixcastTestKit
import Positioning
import Reporting
import Testing

/// Whether the vehicle moves, and what follows from it.
@Suite struct MotionTests {
    private func drive(
        _ phases: [(seconds: Int, speed: Double)], givesSpeed: Bool = true, accuracy: Double = 5
    ) -> Track {
        var fixes: [Location] = []
        var north = 0.0
        for phase in phases {
            for _ in 0..<phase.seconds {
                var fix = Drive.fix(at: Double(fixes.count), north: north, east: 0, speed: phase.speed, course: 0)
                fix.horizontalAccuracy = accuracy
                if !givesSpeed { (fix.speed, fix.course) = (nil, nil) }
                fixes.append(fix)
                north += phase.speed
            }
        }
        return Track(name: "", fixes: fixes)
    }

    private func changes(_ motions: [Motion?]) -> [Int] {
        motions.indices.dropFirst().filter { motions[$0] != motions[$0 - 1] }
    }

    @Test func fiveSecondsBelowHalfAMetrePerSecondAreParked() {
        let result = drive([(20, 10), (20, 0.2), (10, 0.9), (10, 1.2)]).run(.standard)
        #expect(result.motions[1] == .moving && result.motions[0] == nil)
        #expect(changes(result.motions) == [1, 25, 51])
        #expect(result.motions[30] == .stationary && result.motions[50] == .stationary)
    }

    @Test func withoutASpeedDisplacementTells() {
        let result = drive([(20, 10), (20, 0), (20, 8)], givesSpeed: false).run(.standard)
        #expect(changes(result.motions).count == 2)
        #expect(result.motions[10] != .stationary && result.motions[27] == .stationary)
        // It has left once it is farther away than the jitter of its receiver goes.
        #expect(result.motions[39] == .stationary && result.motions[43] == .moving)
    }

    @Test func aTrafficJamIsNoStop() {
        let result = drive((0..<30).flatMap { _ in [(seconds: 4, speed: 0.0), (seconds: 3, speed: 3.0)] }).run(
            .standard)
        #expect(!result.motions.contains(.stationary))
    }

    @Test func oneFastFixIsNoDeparture() {
        var track = drive([(10, 0)])
        for second in 10..<60 {
            track.fixes.append(
                Drive.fix(at: Double(second), north: 0, east: 0, speed: second % 3 == 0 ? 1.4 : 0.2, course: 0))
        }
        let result = track.run(.standard)
        #expect(result.motions.last == .stationary && changes(result.motions).count == 1)
    }

    /// The parked tracks jitter in place and speed; two of them were carried at walking pace, and are in motion at times.
    @Test(.enabled(if: !Track.real.isEmpty, "\(RealData.missing)"))
    func theJitterOfRealParkedReceiversDoesNotFoolIt() throws {
        for name in ["parked-sirf2-san-jose.csv", "parked-telit-he910-brussels.csv"] {
            let track = try #require(Track.real.first { $0.name == name })
            for bound in [5.0, 15, 50] {
                let result = track.run(Track.policy(bound, .strict))
                #expect(result.motions.last == .stationary)
                let share = Double(result.motions.count { $0 == .stationary }) / Double(result.motions.count)
                #expect(share > 0.9, "\(name)")
                #expect(changes(result.motions).count <= 3, "\(name) at \(bound): \(changes(result.motions))")
            }
        }
    }

    /// 3 m of wander, a receiver without speed: its noise is learnt, and the bound does not send it.
    @Test(arguments: [nil, 0.1]) func aParkedVehicleIsSilentButForItsHeartbeat(speed: Double?) {
        var generator = SeededGenerator(seed: 5)
        func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &generator) } }
        var (north, east) = (0.0, 0.0)
        let fixes = (0..<7200).map { second in
            // Gauss-Markov, 60 s, 3 m of standard deviation along each axis.
            north = north * 0.983 + normal() * 3 * 0.183
            east = east * 0.983 + normal() * 3 * 0.183
            var fix = Drive.fix(at: Double(second), north: north, east: east, speed: 0)
            fix.speed = speed
            return fix
        }
        let result = Track(name: "", fixes: fixes).run(Track.policy(10, .lazy))
        // 24 heartbeats, and few more; 172 an hour without the gate.
        #expect(result.drafts.count <= 2 * 30, "\(result.drafts.count) \(result.drafts.map { $0.draft.trigger })")
    }

    // MARK: What it does

    @Test func theProfileFollowsTheMotion() throws {
        var policy = ReportingPolicy.standard
        policy.stationary.maxError = 30
        let result = drive([(60, 10), (700, 0), (60, 10)]).run(policy)
        let stop = try #require(result.drafts.first { $0.draft.motion == .stationary })
        #expect(stop.draft.trigger == .motion && stop.draft.due == 375 && stop.draft.bound == 30)
        #expect(
            result.drafts.filter { $0.draft.motion == .stationary }.map(\.draft.trigger) == [
                .motion, .interval, .interval,
            ])
        let start = try #require(result.drafts.last { $0.draft.trigger == .motion })
        #expect(start.draft.motion == .moving && start.draft.due == 75 && start.draft.bound == 15)
    }

    /// Any filter, any way of stopping: what receivers show at the end is where it stopped, standing.
    @Test(
        "R01: the point where the vehicle stops is always sent",
        arguments: [
            Drive.classic(max: 10, distance: 100), Drive.classic(max: 600, distance: 1000),
            Drive.classic(min: 30, max: 600), .standard, Track.policy(100, .lazy),
        ], [1.0, 3, 9.9])
    func r01ThePointWhereTheVehicleStopsIsAlwaysSent(policy: ReportingPolicy, braking: Double) throws {
        var fixes: [Location] = []
        var (north, speed) = (0.0, 10.0)
        for second in 0..<120 {
            fixes.append(Drive.fix(at: Double(second), north: north, east: 0, speed: speed, course: 0))
            if second >= 43 { speed = max(0, speed - braking) }
            north += speed
        }
        let result = Track(name: "", fixes: fixes).run(policy)
        let last = try #require(result.drafts.last?.draft)
        #expect(last.location.coordinate == fixes.last?.coordinate)
        #expect(last.location.speed == 0 && last.effectiveVelocity == .zero && last.motion == .stationary)
        // At once, but for the floor of the classic triggers.
        let stop = try #require(result.drafts.first { $0.draft.motion == .stationary })
        #expect(stop.draft.trigger == .motion && stop.draft.location.coordinate == fixes.last?.coordinate)
        #expect(stop.index <= 43 + Int(10 / braking) + 8 + Int(policy.stationary.minInterval.inSeconds))
    }

    @Test func aVehicleThatCreepsIsPredictedStanding() throws {
        let result = drive([(30, 10), (1, 0.6)]).run(Track.policy(5, .lazy))
        var machine = result.machine
        let held = machine.draftForReconnect(now: Drive.mono(40))
        let draft = try #require(held)
        #expect(draft.location.speed == 0.6 && draft.predictionVelocity == .zero)
    }
}
