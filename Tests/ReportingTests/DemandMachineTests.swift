import Positioning
import Reporting
import Testing

@Suite struct DemandMachineTests {
    func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

    @Test func theMostDemandingPartOfEachLivingLeaseIsGranted() {
        var machine = DemandMachine()
        let near = Demand(accuracy: .high, interval: 2, bound: 5)
        let far = Demand(accuracy: .medium, interval: 1, distance: 100, bound: 50)
        #expect(machine.receive(near, lease: 60, from: "a", now: at(0)) == true)
        #expect(machine.current == near)
        #expect(machine.receive(far, lease: 600, from: "b", now: at(10)) == true)
        #expect(machine.current == Demand(accuracy: .high, interval: 1, distance: 100, bound: 5))
        #expect(machine.nextDeadline == at(60))
        #expect(machine.deadlinePassed(now: at(59.9)) == false)
        #expect(machine.deadlinePassed(now: at(60)) == true)
        #expect(machine.current == far)
        #expect(machine.withdraw("b", now: at(61)) == true)
        #expect(machine.current == .none && machine.nextDeadline == nil)
    }

    @Test func aRenewalExtendsAndMayAskForLess() {
        var machine = DemandMachine()
        _ = machine.receive(Demand(bound: 5), lease: 60, from: "a", now: at(0))
        #expect(machine.receive(Demand(bound: 5), lease: 60, from: "a", now: at(30)) == false)
        #expect(machine.nextDeadline == at(90))
        #expect(machine.receive(Demand(bound: 20), lease: 60, from: "a", now: at(40)) == true)
        #expect(machine.current == Demand(bound: 20))
    }

    @Test func nobodyGetsMoreThanTheLimits() {
        var machine = DemandMachine(
            limits: DemandLimits(interval: 5, metres: 10, lease: 100, accuracy: .medium))
        _ = machine.receive(
            Demand(accuracy: .high, interval: 0.1, distance: 1, bound: 0.5), lease: 1e9, from: "a", now: at(0))
        #expect(machine.current == Demand(accuracy: .medium, interval: 5, distance: 10, bound: 10))
        #expect(machine.nextDeadline == at(100))
        var closed = DemandMachine(limits: DemandLimits(isAllowed: false))
        #expect(closed.receive(Demand(bound: 5), lease: 60, from: "a", now: at(0)) == false)
        #expect(closed.current == .none)
    }

    @Test func aFloodOfSubscribersDisplacesNobody() {
        var machine = DemandMachine()
        for number in 0..<100 {
            _ = machine.receive(Demand(bound: 20), lease: 60, from: "s\(number)", now: at(0))
        }
        #expect(machine.count == 16 && machine.refused == 84)
        #expect(machine.receive(Demand(bound: 5), lease: 60, from: "late", now: at(59)) == false)
        #expect(machine.receive(Demand(bound: 5), lease: 60, from: "late", now: at(60)) == true)
    }
}
