import Positioning
import Reporting
import Testing

/// Speed, jumps, frozen receivers, dates and warm-up: the checks that look at how a fix follows from those before.
@Suite struct PlausibilityTests {
    private static let everyFix = Drive.classic(min: 0)

    private func rules(_ decisions: [ReportingDecision]) -> [RejectionRule?] { decisions.map { $0.rejection?.rule } }

    // MARK: Jumps

    /// Whatever the way out: by far, by little, in one axis, with or without a speed.
    @Test(
        "R06: one outlier is dropped and the next good fix accepted",
        arguments: [(30_000.0, 0.0), (0, -30_000), (400, 300), (5_000_000, 0)], [nil, 10.0])
    func r06OneOutlierIsDroppedAndTheNextGoodFixAccepted(away: (Double, Double), speed: Double?) {
        var machine = Drive.machine(Self.everyFix)
        var decisions: [ReportingDecision] = []
        for second in 0..<60 {
            let isOutlier = second % 7 == 5
            let north = Double(second) * 10 + (isOutlier ? away.0 : 0)
            var fix = Drive.fix(at: Double(second), north: north, east: isOutlier ? away.1 : 0, speed: 0)
            fix.speed = speed
            let before = (machine.motion, machine.prediction, machine.newest)
            decisions.append(machine.receive(fix, at: Double(second)))
            if isOutlier { #expect((machine.motion, machine.prediction, machine.newest) == before) }
        }
        for (second, rule) in rules(decisions).enumerated() { #expect(rule == (second % 7 == 5 ? .jump : nil)) }
        #expect(machine.counters.rejected(by: .jump) == 8)
    }

    @Test("R06: a real jump is believed after three consistent fixes", arguments: [1.0, 0.2])
    func r06ARealJumpIsBelievedAfterThreeConsistentFixes(interval: Double) {
        var machine = Drive.machine(Self.everyFix)
        func receive(_ index: Int) -> ReportingDecision {
            let metres = Double(index) * 10 * interval + (index < 20 ? 0 : 30_000)
            return machine.receive(
                Drive.fix(at: Double(index) * interval, metres: metres), at: Double(index) * interval)
        }
        let decisions = (0..<40).map(receive)
        #expect(rules(decisions).enumerated().filter { $0.element != nil }.map(\.offset) == [20, 21])
        #expect(decisions[20].rejection?.threshold == 90)
        #expect((decisions[20].rejection?.value ?? 0) > 20_000)
    }

    /// A slow source need not be asked three times: two that agree over ten seconds are enough.
    @Test("R06: a real jump is believed after ten seconds") func r06ARealJumpIsBelievedAfterTenSeconds() {
        var machine = Drive.machine(Self.everyFix)
        let decisions = (0..<10).map { index in
            machine.receive(
                Drive.fix(at: Double(index) * 15, metres: index < 5 ? 0 : 200_000), at: Double(index) * 15)
        }
        #expect(rules(decisions).enumerated().filter { $0.element != nil }.map(\.offset) == [5])
    }

    @Test("R06: a long gap is no jump", arguments: [60.0, 3600, 86_400])
    func r06ALongGapIsNoJump(gap: Double) {
        var machine = Drive.machine(Self.everyFix)
        for second in 0..<5 { _ = machine.receive(Drive.fix(at: Double(second)), at: Double(second)) }
        // 60 m/s on the way.
        let decision = machine.receive(Drive.fix(at: gap + 4, metres: gap * 60), at: gap + 4)
        #expect(decision.draft != nil)
    }

    /// Outliers that do not agree among themselves never become a place.
    @Test("R06: scattered outliers are all dropped") func r06ScatteredOutliersAreAllDropped() {
        var machine = Drive.machine(Self.everyFix)
        for second in 0..<5 { _ = machine.receive(Drive.fix(at: Double(second)), at: Double(second)) }
        for second in 5..<25 {
            let metres = Double((second * 7919) % 23 + 3) * 20_000 * (second % 2 == 0 ? 1 : -1)
            #expect(
                machine.receive(Drive.fix(at: Double(second), metres: metres), at: Double(second)).rejection?.rule
                    == .jump)
        }
        #expect(machine.receive(Drive.fix(at: 25), at: 25).rejection == nil)
    }

    @Test func aBetterFixCorrectsABadFirstOneAtOnce() {
        var machine = Drive.machine(Self.everyFix)
        _ = machine.receive(Drive.fix(at: 0, metres: 3000, accuracy: 80), at: 0)
        #expect(
            machine.receive(Drive.fix(at: 1, accuracy: 5), at: 1).draft?.location.coordinate
                == Drive.place(north: 0, east: 0))
        // It does not once others agreed with the first.
        var settled = Drive.machine(Self.everyFix)
        for second in 0..<3 {
            _ = settled.receive(Drive.fix(at: Double(second), metres: 3000, accuracy: 80), at: Double(second))
        }
        #expect(settled.receive(Drive.fix(at: 3, accuracy: 5), at: 3).rejection?.rule == .jump)
        // Nor one that is hardly better.
        var equal = Drive.machine(Self.everyFix)
        _ = equal.receive(Drive.fix(at: 0, metres: 3000, accuracy: 8), at: 0)
        #expect(equal.receive(Drive.fix(at: 1, accuracy: 5), at: 1).rejection?.rule == .jump)
    }

    @Test func aReliableFixIsNotMeasuredFromAnUnreliableOne() {
        var machine = Drive.machine(Self.everyFix)
        for second in 0..<5 {
            _ = machine.receive(Drive.fix(at: Double(second), metres: 90_000, accuracy: nil), at: Double(second))
        }
        #expect(machine.receive(Drive.fix(at: 5), at: 5).draft?.location.isReliable == true)
        // An unreliable one takes its place no more.
        #expect(machine.receive(Drive.fix(at: 6, metres: 90_000, accuracy: nil), at: 6).rejection?.rule == .jump)
        #expect(machine.receive(Drive.fix(at: 7, metres: 10), at: 7).rejection == nil)
    }

    @Test func theAccuracyOfBothFixesIsAllowedFor() {
        func jump(_ metres: Double, accuracy: Double) -> RejectionRule? {
            var machine = Drive.machine(Self.everyFix)
            for second in 0..<3 {
                _ = machine.receive(Drive.fix(at: Double(second), accuracy: accuracy), at: Double(second))
            }
            return machine.receive(Drive.fix(at: 3, metres: metres, accuracy: accuracy), at: 3).rejection?.rule
        }
        #expect(jump(109, accuracy: 5) == nil && jump(111, accuracy: 5) == .jump)
        #expect(jump(289, accuracy: 50) == nil && jump(291, accuracy: 50) == .jump)
    }

    /// A replay as fast as the pipeline takes it: everything arrives at one instant.
    @Test func aFastReplayIsJudgedByTheTimesOfItsFixes() {
        var machine = Drive.machine(Self.everyFix)
        for second in 0..<100 {
            let decision = machine.receive(Drive.fix(at: Double(second), metres: Double(second) * 30), at: 0)
            #expect(decision.rejection?.rule != .jump)
        }
    }

    @Test func withoutALimitNothingIsTooFast() {
        var policy = Self.everyFix
        policy.checks.maxSpeed = nil
        var machine = Drive.machine(policy)
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        var fix = Drive.fix(at: 1, metres: 100_000)
        fix.speed = 300
        #expect(machine.receive(fix, at: 1).rejection == nil)
    }

    // MARK: Speed

    @Test func aSpeedThatNoVehicleHasIsRejected() {
        var machine = Drive.machine(Self.everyFix)
        #expect(machine.receive(Drive.fix(at: 0, north: 0, east: 0, speed: 90), at: 0).rejection == nil)
        #expect(
            machine.receive(Drive.fix(at: 1, north: 20, east: 0, speed: 90.01), at: 1)
                == .reject(Rejection(rule: .speed, value: 90.01, threshold: 90)))
        #expect(machine.newest?.timestamp == Drive.utc(0))
        #expect(machine.counters.rejected(by: .speed) == 1)
    }

    // MARK: Frozen

    private func freeze(speed: Double?, interval: Double = 1, for seconds: Double = 20) -> [RejectionRule?] {
        var machine = Drive.machine(Self.everyFix)
        return stride(from: 0, to: seconds, by: interval).map { time in
            var fix = Drive.fix(at: time)
            fix.speed = speed
            return machine.receive(fix, at: time).rejection?.rule
        }
    }

    @Test func aPositionThatStandsWhileItsSpeedMovesIsFrozen() {
        let rules = freeze(speed: 12)
        #expect(rules.prefix(5).allSatisfy { $0 == nil })
        #expect(rules.dropFirst(5).allSatisfy { $0 == .frozen })
        #expect(freeze(speed: 12, interval: 0.1).firstIndex(of: .frozen) == 50)
        // Three fixes at the least.
        #expect(freeze(speed: 12, interval: 8, for: 60).firstIndex(of: .frozen) == 2)
    }

    @Test(arguments: [nil, 0.0, 0.4, 1])
    func aParkedReceiverWithStaticNavigationIsNotFrozen(speed: Double?) {
        #expect(freeze(speed: speed, for: 600).allSatisfy { $0 == nil })
    }

    @Test func aReceiverThatThawsIsBelievedAtOnce() {
        var machine = Drive.machine(Self.everyFix)
        for second in 0..<30 {
            _ = machine.receive(Drive.fix(at: Double(second), north: 0, east: 0, speed: 12), at: Double(second))
        }
        #expect(machine.counters.rejected(by: .frozen) == 25)
        #expect(machine.receive(Drive.fix(at: 30, north: 360, east: 0, speed: 12), at: 30).rejection == nil)
    }

    // MARK: Dates

    /// The kind, not one date: 1980, the time before the first rollover is put right, yesterday's build.
    @Test(
        "G09: while no clock is trusted a date before the build date is not believed",
        arguments: ["1980-01-06", "2007-04-16", "2026-11-29"])
    func g09ADateBeforeTheBuildDateIsNotBelieved(day: String) throws {
        let time = try #require(Self.days[day])
        var fix = Drive.fix(at: 0)
        fix.timestamp = UTCInstant(milliseconds: time * 86_400_000)
        var machine = Drive.machine(Self.everyFix)
        let rejection = machine.receive(fix, now: Drive.mono(0), utc: nil).rejection
        #expect(rejection?.rule == .date && (rejection?.value ?? 0) > 0)
        #expect(machine.newest == nil && machine.lastReliability == nil)
        // A host clock from before the build date is no clock.
        #expect(
            machine.receive(fix, now: Drive.mono(0), utc: UTCInstant(milliseconds: 0)).rejection?.rule == .date)
        // With one it is simply old.
        #expect(machine.receive(fix, at: 0).rejection?.rule == .stale)
        // It is held until the date is sane.
        #expect(machine.receive(Drive.fix(at: 1), now: Drive.mono(1), utc: nil).draft?.trigger == .first)
        var tolerant = Self.everyFix
        tolerant.checks.maxAge = nil
        var replay = Drive.machine(tolerant)
        #expect(replay.receive(fix, now: Drive.mono(0), utc: nil).draft != nil)
    }

    private static let days: [String: Int64] = ["1980-01-06": 3657, "2007-04-16": 13_619, "2026-11-29": 20_786]

    @Test("G10: a fix a day ahead or behind is not taken for now", arguments: [86_400.0, -86_400, 43_300])
    func g10AFixADayAheadOrBehindIsNotTakenForNow(step: Double) {
        var machine = Drive.machine(Self.everyFix)
        for second in 0..<20 { _ = machine.receive(Drive.fix(at: Double(second) - 20), at: Double(second) - 20) }
        let rule = machine.receive(Drive.fix(at: step), at: 0).rejection?.rule
        #expect(rule == (step > 0 ? .future : .outOfOrder))
        #expect(machine.receive(Drive.fix(at: 1), at: 1).rejection == nil)
    }

    /// gpsd makes two reports of one time of a leap second; both are plausible, one is enough.
    @Test("G10: a repeated second is a duplicate, not older") func g10ARepeatedSecondIsADuplicate() {
        var machine = Drive.machine(Self.everyFix)
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        #expect(machine.receive(Drive.fix(at: 0, metres: 10), at: 1).rejection?.rule == .duplicate)
        #expect(machine.receive(Drive.fix(at: 1, metres: 20), at: 2).rejection == nil)
    }

    // MARK: Warm-up

    @Test func theFirstFixesOfAColdStartAreRejected() {
        var policy = Self.everyFix
        policy.checks.warmUp = .seconds(20)
        var machine = Drive.machine(policy)
        let decisions = (100..<140).map { machine.receive(Drive.fix(at: Double($0)), at: Double($0)) }
        #expect(decisions.prefix(20).allSatisfy { $0.rejection?.rule == .warmUp })
        #expect(decisions[5] == .reject(Rejection(rule: .warmUp, value: 5, threshold: 20)))
        #expect(decisions[20].draft?.trigger == .first)
        #expect(decisions.dropFirst(20).allSatisfy { $0.rejection == nil })
    }

    /// The warm-up counts from the first fix that says something: not from zero coordinates.
    @Test func theWarmUpBeginsWithAPlausibleFix() {
        var policy = Self.everyFix
        policy.checks.warmUp = .seconds(5)
        var machine = Drive.machine(policy)
        var zero = Drive.fix(at: 0)
        zero.coordinate = Coordinate(latitude: 0, longitude: 0)
        #expect(machine.receive(zero, at: 0).rejection?.rule == .nullIsland)
        #expect(machine.receive(Drive.fix(at: 8), at: 8).rejection?.rule == .warmUp)
        #expect(machine.receive(Drive.fix(at: 14), at: 14).draft != nil)
    }
}
