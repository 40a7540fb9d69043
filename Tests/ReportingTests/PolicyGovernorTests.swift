import Positioning
import Reporting
import Testing

@Suite struct PolicyGovernorTests {
    func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

    private func governor(_ bytesPerDay: UInt64? = nil) -> PolicyGovernor {
        PolicyGovernor(base: .standard, limits: .standard, bytesPerDay: bytesPerDay, start: at(0))
    }

    @Test func aDemandMakesThePolicyTighterNeverWiderAndItsEndRestoresIt() {
        var governor = governor()
        let wanted = Demand(accuracy: .high, interval: 5, distance: 40, bound: 8)
        #expect(governor.receive(wanted, lease: 60, from: "app", now: at(0)) == true)
        #expect(governor.policy.moving.maxError == 8 && governor.policy.stationary.maxError == 8)
        #expect(governor.policy.moving.maxInterval == .seconds(5))
        #expect(governor.policy.moving.minDistance == 40)
        #expect(governor.policy.moving.minInterval == ReportingPolicy.standard.moving.minInterval)
        #expect(governor.accuracy == .high)
        #expect(governor.deadlinePassed(now: at(60)) == true)
        #expect(governor.policy == .standard && governor.accuracy == nil)
        #expect(governor.receive(Demand(interval: 3600, bound: 500), lease: 60, from: "app", now: at(61)) == false)
        #expect(governor.policy == .standard)
    }

    @Test func aShortBudgetWidensTheBoundInStepsAndLeavesHeartbeats() {
        var governor = governor(1000)
        #expect(governor.spend(400, now: at(1), utc: nil) == false)
        #expect(governor.spend(200, now: at(2), utc: nil) == true)
        #expect(governor.policy.moving.maxError == 30)
        _ = governor.spend(200, now: at(3), utc: nil)
        #expect(governor.policy.moving.maxError == 60)
        _ = governor.spend(120, now: at(4), utc: nil)
        #expect(governor.policy.moving.maxError == 120 && !governor.policy.moving.isQuiet)
        _ = governor.spend(80, now: at(5), utc: nil)
        #expect(governor.policy.moving.isQuiet)
        #expect(governor.policy.moving.maxInterval == ReportingPolicy.standard.moving.maxInterval)
    }

    @Test func aDemandCannotSpendWhatIsNotThere() {
        var governor = governor(1000)
        _ = governor.spend(995, now: at(1), utc: nil)
        #expect(governor.receive(Demand(interval: 1, bound: 5), lease: 60, from: "app", now: at(2)) == true)
        #expect(governor.policy.moving.isQuiet)
        #expect(governor.policy.moving.maxInterval == ReportingPolicy.standard.moving.maxInterval)
    }
}
