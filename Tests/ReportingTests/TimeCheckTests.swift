import Positioning
import Reporting
import Testing

/// Order, age and future: the checks that look at the fix's time.
@Suite struct TimeCheckTests {
    @Test func equalAndEarlierTimesAreRejectedAndChangeNothing() {
        var machine = Drive.machine(Drive.classic())
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        _ = machine.receive(Drive.fix(at: 5, metres: 50), at: 5)
        let before = machine
        #expect(
            machine.receive(Drive.fix(at: 5, metres: 51), at: 6)
                == .reject(Rejection(rule: .duplicate, value: 0, threshold: 0)))
        #expect(
            machine.receive(Drive.fix(at: 3, metres: 30), at: 6.1)
                == .reject(Rejection(rule: .outOfOrder, value: 2, threshold: 0)))
        #expect(machine.newest == before.newest)
        #expect(machine.nextDeadline == before.nextDeadline)
        #expect(machine.counters.accepted == 2)
        #expect(machine.counters.rejected(by: .duplicate) == 1)
        #expect(machine.counters.rejected(by: .outOfOrder) == 1)
        #expect(machine.receive(Drive.fix(at: 6, metres: 60), at: 6.5).draft?.trigger == .interval)
    }

    @Test func oneFixAheadOfItsTimeDoesNotLockOutTheOthers() {
        var machine = Drive.machine(Drive.classic())
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        // Within the tolerance for the future, so nothing tells that it is wrong.
        _ = machine.receive(Drive.fix(at: 200), at: 1)
        let decisions = (2...12).map { machine.receive(Drive.fix(at: Double($0)), at: Double($0)) }
        #expect(decisions.prefix(4).allSatisfy { $0.rejection?.rule == .outOfOrder })
        #expect(decisions.dropFirst(4).allSatisfy { $0.draft != nil })
    }

    /// A receiver restarts with another time base, on a host without a clock.
    @Test(arguments: [-1.0, -18, -3600, -604_800])
    func aNewTimeBaseIsBelievedAfterFiveFixes(step: Double) {
        var machine = Drive.machine(Drive.classic())
        for second in 0..<5 {
            _ = machine.receive(Drive.fix(at: Double(second) + 1e6), now: Drive.mono(Double(second)), utc: nil)
        }
        let decisions = (5..<40).map {
            machine.receive(Drive.fix(at: Double($0) + 1e6 + step - 0.5), now: Drive.mono(Double($0)), utc: nil)
        }
        let lost = decisions.prefix { $0.rejection != nil }.count
        #expect(lost <= 4)
        #expect(decisions.dropFirst(lost).allSatisfy { $0.draft != nil })
    }

    @Test func aBurstOfLateFixesIsNoTimeBase() {
        var machine = Drive.machine(Drive.classic())
        for second in 0..<10 { _ = machine.receive(Drive.fix(at: Double(second)), at: Double(second)) }
        for late in 0..<9 {
            let decision = machine.receive(Drive.fix(at: Double(late) + 0.5), at: 10 + Double(late) / 100)
            #expect(decision.rejection?.rule == (late == 9 ? .stale : .outOfOrder))
        }
        #expect(machine.newest?.timestamp == Drive.utc(9))
        #expect(machine.receive(Drive.fix(at: 10.5), at: 10.5).draft != nil)
    }

    @Test func aFixOlderThanTheLimitIsStale() {
        var machine = Drive.machine(Drive.classic())
        #expect(
            machine.receive(Drive.fix(at: 0), at: 10.5)
                == .reject(Rejection(rule: .stale, value: 10.5, threshold: 10)))
        #expect(machine.receive(Drive.fix(at: 1), at: 11).draft != nil)
        var policy = Drive.classic()
        policy.checks.maxAge = nil
        var patient = Drive.machine(policy)
        #expect(patient.receive(Drive.fix(at: -1e6), at: 0).draft != nil)
    }

    @Test func aFixFromTheFutureIsRejected() {
        var machine = Drive.machine(Drive.classic())
        #expect(
            machine.receive(Drive.fix(at: 301), at: 0)
                == .reject(Rejection(rule: .future, value: 301, threshold: 300)))
        #expect(machine.receive(Drive.fix(at: 300), at: 0).draft != nil)
    }

    @Test("S02: one fix far in the future does not become the newest")
    func s02OneFixFarInTheFutureDoesNotBecomeTheNewest() {
        var machine = Drive.machine(Drive.classic())
        #expect(machine.receive(Drive.fix(at: 400 * 86400), at: 0).rejection?.rule == .future)
        for second in 1...10 {
            #expect(machine.receive(Drive.fix(at: Double(second)), at: Double(second)).draft != nil)
        }
    }

    @Test func withoutATrustedClockAgeIsMonotonicProgress() {
        var machine = Drive.machine(Drive.classic())
        // The receiver's date is years off, but its fixes come steadily with a delay of 0.2 to 0.4 s.
        for second in 0..<20 {
            let time = Double(second)
            let decision = machine.receive(
                Drive.fix(at: time + 1e8), now: Drive.mono(time + 0.2 + 0.1 * Double(second % 3)), utc: nil)
            #expect(decision.rejection == nil)
        }
        let late = machine.receive(Drive.fix(at: 20 + 1e8), now: Drive.mono(35.2), utc: nil)
        #expect(late.rejection?.rule == .stale)
        #expect(abs((late.rejection?.value ?? 0) - 15) < 1e-6)
        #expect(machine.receive(Drive.fix(at: 35 + 1e8), now: Drive.mono(36), utc: nil).draft != nil)
    }

    @Test func aQuartzThatRunsFastMakesNothingStale() {
        var machine = Drive.machine(Drive.classic())
        // 100 ppm for three days are 26 s; one fix a minute.
        for minute in 0..<(3 * 1440) {
            let time = Double(minute) * 60
            let decision = machine.receive(Drive.fix(at: time), now: Drive.mono(time * 1.0001), utc: nil)
            #expect(decision.rejection == nil)
        }
    }

    @Test func onceTheClockIsTrustedAnOldTimeBaseIsStale() {
        var machine = Drive.machine(Drive.classic())
        _ = machine.receive(Drive.fix(at: -1e6), now: Drive.mono(0), utc: nil)
        #expect(machine.receive(Drive.fix(at: 1 - 1e6), at: 1).rejection?.rule == .stale)
    }

    /// Times at the ends of their range are judged, not trapped on.
    @Test(arguments: [Int64.min, Int64.max, 0, -1])
    func absurdTimesDoNotTrap(milliseconds: Int64) {
        for clock in [Drive.epoch, nil] {
            var machine = Drive.machine(Drive.classic())
            var location = Drive.fix(at: 0)
            _ = machine.receive(location, now: Drive.mono(0), utc: clock)
            location.timestamp = UTCInstant(milliseconds: milliseconds)
            for second in 1...20 { _ = machine.receive(location, now: Drive.mono(Double(second)), utc: clock) }
            #expect(machine.counters.accepted >= 1)
        }
    }
}
