import Positioning
import Reporting
import Testing

/// What makes a fix worth sending, beside the bound.
@Suite struct TriggerTests {
    private typealias Profile = ReportingPolicy.Profile

    private func policy(_ profile: Profile) -> ReportingPolicy {
        ReportingPolicy(moving: profile, stationary: Profile(maxInterval: .seconds(300), isQuiet: true))
    }

    /// A fix a second at 10 m/s along a course that `course` gives.
    private func run(
        _ machine: inout ReportingMachine, seconds: Range<Int>, speed: (Int) -> Double = { _ in 10 },
        course: (Int) -> Double = { _ in 0 }
    ) -> [(second: Int, draft: ReportDraft)] {
        var sent: [(second: Int, draft: ReportDraft)] = []
        for second in seconds {
            let fix = Drive.fix(
                at: Double(second), north: Double(second) * 10, east: 0, speed: speed(second), course: course(second))
            if let draft = machine.receive(fix, at: Double(second)).draft { sent.append((second, draft)) }
        }
        return sent
    }

    // MARK: Classic

    /// Through north: differences go the short way.
    @Test(arguments: [(15.0, [30, 50]), (25, [40, 50]), (45, [50]), (60, [])] as [(Double, [Int])])
    func aTurnIsSentOnceItIsThatFar(threshold: Double, expected: [Int]) {
        var machine = Drive.machine(policy(Profile(maxError: 0, minHeadingChange: threshold)))
        let sent = run(&machine, seconds: 0..<59, course: { $0 < 30 ? 350 : $0 < 40 ? 14 : $0 < 50 ? 20 : 46 })
            .dropFirst()
        #expect(sent.map(\.second) == expected && sent.allSatisfy { $0.draft.trigger == .heading })
    }

    @Test func theCourseOfASlowVehicleIsNoise() {
        var machine = Drive.machine(policy(Profile(maxError: 0, minHeadingChange: 20)))
        let sent = run(&machine, seconds: 0..<50, speed: { _ in 1.9 }, course: { Double($0 * 97 % 360) })
        #expect(sent.map(\.draft.trigger) == [.first])
    }

    @Test func aChangeOfSpeedIsSent() {
        var machine = Drive.machine(policy(Profile(maxError: 0, minSpeedChange: 5)))
        let sent = run(&machine, seconds: 0..<50, speed: { $0 < 20 ? 10 : $0 < 30 ? 14.9 : $0 < 40 ? 15.1 : 10 })
        #expect(sent.map(\.second) == [0, 30, 40])
        #expect(sent.dropFirst().allSatisfy { $0.draft.trigger == .speed })
    }

    @Test func aClearlyBetterAccuracyIsSent() {
        var machine = Drive.machine(policy(Profile(maxError: 0, minDistance: 1000)))
        let accuracies = [80.0, 70, 41, 40, 30, 21, 20, 10, 5, 1]
        let sent = accuracies.enumerated().filter { index, accuracy in
            let fix = Drive.fix(at: Double(index), metres: Double(index) * 10, accuracy: accuracy)
            return machine.receive(fix, at: Double(index)).draft != nil
        }
        // Halved, and halved again while it is still poor.
        #expect(sent.map(\.element) == [80, 40, 20])
    }

    @Test func theFloorHoldsTheClassicTriggersBackAndNotTheBound() {
        let classic = Profile(minInterval: .seconds(10), maxError: 0, minDistance: 20, minHeadingChange: 10)
        var machine = Drive.machine(policy(classic))
        #expect(run(&machine, seconds: 0..<50, course: { Double($0 * 20 % 360) }).map(\.second) == [0, 10, 20, 30, 40])
        var bounded = Drive.machine(policy(Profile(minInterval: .seconds(10), maxError: 15, prediction: .lazy)))
        // Turning away at each fix, the prediction leaves the bound long before the floor.
        var sent = 0
        for second in 0..<40 {
            let fix = Drive.fix(
                at: Double(second), north: 0, east: 200 * (second % 6 < 3 ? 0.1 : -0.1) * Double(second % 3),
                speed: 10, course: second % 2 == 0 ? 0 : 180)
            if bounded.receive(fix, at: Double(second)).draft?.trigger == .error { sent += 1 }
        }
        #expect(sent > 10)
    }

    @Test func aReasonThatTheFloorHeldBackIsSentWhenItEnds() {
        var machine = Drive.machine(policy(Profile(minInterval: .seconds(10), maxError: 0, minDistance: 20)))
        _ = run(&machine, seconds: 0..<4)
        #expect(machine.nextDeadline == Drive.mono(10))
        let draft = machine.deadlinePassed(at: 10)
        #expect(draft?.trigger == .distance && draft?.location.timestamp == Drive.utc(3))
        #expect(machine.nextDeadline == nil)
    }

    @Test func withoutAnyTriggerEachFixIsSent() {
        #expect(Profile(maxError: 0).sendsEveryFix)
        for profile in [
            Profile(), Profile(maxError: 0, minDistance: 1), Profile(maxError: 0, minHeadingChange: 1),
            Profile(maxError: 0, minSpeedChange: 1), Profile(maxError: 0, isQuiet: true),
        ] {
            #expect(!profile.sendsEveryFix)
        }
        // Nor is any by the defaults, while the prediction holds.
        var machine = Drive.machine()
        #expect(run(&machine, seconds: 0..<50).count == 1)
    }

    @Test func aQuietProfileSendsHeartbeatsAndMotionAlone() {
        var machine = Drive.machine(
            policy(Profile(minDistance: 10, minHeadingChange: 10, minSpeedChange: 1, isQuiet: true)))
        let sent = run(&machine, seconds: 0..<200, speed: { $0 < 100 ? 10 : 20 }, course: { Double($0 * 50 % 360) })
        #expect(sent.map(\.second) == [0, 60, 120, 180])
        #expect(sent.allSatisfy { $0.draft.bound == nil })
    }

    // MARK: Dead reckoning

    @Test func aReportSaysWhatItPromises() throws {
        var machine = Drive.machine()
        let first = try #require(run(&machine, seconds: 0..<1).first?.draft)
        #expect(first.bound == 15 && first.due == 75 && first.trigger == .first && first.predictionVelocity == nil)
        #expect(first.effectiveVelocity == Velocity(north: 10, east: 0))
        #expect(machine.prediction == Predictor(first))
        // Steady motion says nothing new until the heartbeat.
        let sent = run(&machine, seconds: 1..<130)
        #expect(sent.map(\.second) == [60, 120] && sent.allSatisfy { $0.draft.trigger == .interval })
        var silent = Drive.machine(Drive.classic())
        #expect(run(&silent, seconds: 0..<1).first?.draft.bound == nil)
    }

    @Test func aReceiverWithoutACourseIsPredictedByItsDisplacement() throws {
        var machine = Drive.machine(Track.policy(15, .lazy))
        for second in 0..<10 {
            var fix = Drive.fix(at: Double(second), north: 0, east: Double(second) * 12, speed: 12)
            if second < 5 { fix.speed = nil }
            let draft = machine.receive(fix, at: Double(second)).draft
            #expect((draft != nil) == (second == 0 || second == 2), "\(second)")
            guard second == 2, let velocity = draft?.predictionVelocity else { continue }
            #expect(abs(velocity.east - 12) < 0.05 && abs(velocity.north) < 0.05)
        }
    }

    @Test func lookingAheadKnowsHowLongAReportTakes() {
        func second(delay: Double) -> Int? {
            var machine = Drive.machine()
            for _ in 0..<200 { machine.acknowledged(afterNanoseconds: Int64(delay * 1e9)) }
            // It brakes at 2 m/s2 after 20 s.
            for second in 0..<40 {
                let braking = Double(max(0, second - 20))
                let fix = Drive.fix(
                    at: Double(second), north: Double(second) * 20 - braking * braking, east: 0,
                    speed: max(0, 20 - 2 * braking), course: 0)
                if machine.receive(fix, at: Double(second)).draft?.trigger == .error { return second }
            }
            return nil
        }
        let (fast, slow) = (second(delay: 0.05), second(delay: 2))
        #expect(fast.map { (22...24).contains($0) } == true)
        #expect((slow ?? 99) < (fast ?? 0))
    }

    @Test("R02: steps of the wall clock change nothing of the default policy", arguments: [-7200.0, 7200, 4e8])
    func r02StepsOfTheWallClockChangeNothingOfTheDefaultPolicy(step: Double) {
        func run(_ utc: (Double) -> UTCInstant?) -> [ReportingDecision] {
            var machine = Drive.machine()
            return (0..<600).map { second in
                let time = Double(second)
                let turn = Double(second / 40 % 2)
                let fix = Drive.fix(
                    at: time, north: time * 9, east: turn * 60, speed: second % 200 > 150 ? 0 : 9, course: turn * 45)
                return machine.receive(fix, now: Drive.mono(time), utc: utc(time))
            }
        }
        let steady = run { Drive.utc($0) }
        #expect(steady.count { $0.draft != nil } > 20)
        #expect(run { Drive.utc($0 < 100 ? $0 : $0 + step) } == steady)
        #expect(run { $0 < 20 ? UTCInstant(milliseconds: Int64($0) * 1000) : Drive.utc($0) } == steady)
    }

    // MARK: Unreliable fixes

    @Test func aReceiverWithoutAccuracyIsNotSilent() {
        var machine = Drive.machine()
        var sent: [ReportDraft] = []
        for second in 0..<100 {
            var fix = Drive.fix(at: Double(second), north: Double(second) * 10, east: 0, speed: 10, course: 0)
            fix.horizontalAccuracy = nil
            if let draft = machine.receive(fix, at: Double(second)).draft { sent.append(draft) }
        }
        // No promise is made; the bound is the distance.
        #expect(sent.count == 50)
        #expect(sent.allSatisfy { $0.bound == nil && $0.location.unreliable == .accuracy && $0.due == 75 })
        #expect(sent.dropFirst().allSatisfy { $0.trigger == .distance && $0.motion == .moving })
        #expect(machine.prediction == nil)
    }

    @Test func anUnreliableFixTakesNoReliableOnesPlace() throws {
        var machine = Drive.machine()
        _ = run(&machine, seconds: 0..<10)
        var reliable = 0
        for second in 10..<60 {
            var fix = Drive.fix(at: Double(second), north: Double(second) * 10, east: 0, speed: 10, course: 0)
            fix.horizontalAccuracy = second % 2 == 0 ? nil : 5
            let base = try #require(machine.prediction)
            let draft = machine.receive(fix, at: Double(second)).draft
            if draft?.location.isReliable == true { reliable += 1 } else { #expect(machine.prediction == base) }
            #expect(draft?.trigger != .error)
        }
        #expect(reliable > 0)
    }

    // MARK: A policy that changes

    @Test func aTighterBoundIsPromisedWithTheNextFixAndAWiderOneWhenItComesToIt() throws {
        var machine = Drive.machine()
        _ = run(&machine, seconds: 0..<10)
        machine.policy.moving.maxError = 60
        #expect(run(&machine, seconds: 10..<20).isEmpty)
        #expect(machine.prediction?.bound == 15)
        #expect(run(&machine, seconds: 60..<61).first?.draft.bound == 60)
        machine.policy.moving.maxError = 10
        let draft = try #require(run(&machine, seconds: 61..<62).first?.draft)
        #expect(draft.trigger == .demand && draft.bound == 10)
        #expect(run(&machine, seconds: 62..<70).isEmpty)
    }

    // MARK: The link comes back

    /// Two hours without a link, then the newest position first: what is held, or nothing where it was sent.
    @Test("R05: what a new connection says first is the newest position")
    func r05WhatANewConnectionSaysFirstIsTheNewestPosition() throws {
        var machine = Drive.machine()
        var drafts: [ReportDraft] = []
        for second in 0..<7200 {
            let fix = Drive.fix(at: Double(second), north: Double(second) * 9.2, east: 0, speed: 10, course: 0)
            if let draft = machine.receive(fix, at: Double(second)).draft { drafts.append(draft) }
        }
        let held = machine.draftForReconnect(now: Drive.mono(7200))
        let newest = try #require(held ?? drafts.last)
        #expect(newest.location.timestamp == Drive.utc(7199))
        #expect(machine.draftForReconnect(now: Drive.mono(7200)) == nil)
        #expect(machine.prediction == Predictor(newest))
        // The live lane goes on at its own pace.
        let next = Drive.fix(at: 7200, north: 7200 * 9.2, east: 0, speed: 10, course: 0)
        #expect(machine.receive(next, at: 7200) == .hold)
    }
}
