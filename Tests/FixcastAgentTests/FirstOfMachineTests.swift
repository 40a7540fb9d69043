import Positioning
import Testing

@testable import FixcastAgent

@Suite struct FirstOfMachineTests {
    typealias Actions = FirstOfMachine.Actions

    func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

    func machine(_ count: Int = 2) -> FirstOfMachine {
        FirstOfMachine(count: count, silence: .seconds(10), proof: .seconds(30))
    }

    /// A source that becomes available and sends a reliable position.
    func good(_ machine: inout FirstOfMachine, _ index: Int, _ seconds: Double) -> Actions {
        _ = machine.availabilityChanged(index, .available, now: at(seconds))
        return machine.received(index, isReliable: true, now: at(seconds))
    }

    @Test func theFirstThatIsGoodIsTakenAndThePreferredOneAtItsFirstPosition() {
        var machine = machine()
        #expect(machine.availabilityChanged(0, .unavailable(.noFix), now: at(0)).availability == .unavailable(.noFix))
        #expect(machine.availabilityChanged(1, .available, now: at(0)).availability == .available)
        #expect(
            machine.received(1, isReliable: true, now: at(0))
                == Actions(chosen: 1, availability: .available, delivers: true))
        #expect(machine.availabilityChanged(0, .available, now: at(1)) == Actions(availability: .available))
        #expect(
            machine.received(0, isReliable: true, now: at(1))
                == Actions(chosen: 0, availability: .available, delivers: true))
        #expect(machine.received(1, isReliable: true, now: at(1)) == Actions(availability: .available))
    }

    @Test func aLossFallsBackAtOnceWithoutAnUnavailabilityBetween() {
        var machine = machine()
        _ = (good(&machine, 0, 0), good(&machine, 1, 0))
        #expect(
            machine.availabilityChanged(0, .unavailable(.providerDown), now: at(5))
                == Actions(chosen: 1, availability: .available))
    }

    @Test func silenceFallsBackToo() {
        var machine = machine()
        _ = (good(&machine, 0, 0), good(&machine, 1, 5))
        #expect(machine.nextDeadline == at(10))
        #expect(machine.deadlinePassed(now: at(10)) == Actions(chosen: 1, availability: .available))
    }

    @Test func theLostOneReturnsOnlyAfterItHasProvedItself() {
        var machine = machine()
        _ = (good(&machine, 0, 0), good(&machine, 1, 0))
        _ = machine.availabilityChanged(0, .unavailable(.noFix), now: at(5))
        for second in 6..<36 {
            _ = machine.received(1, isReliable: true, now: at(Double(second)))
            #expect(good(&machine, 0, Double(second)).delivers == false)
        }
        // A flutter begins the proof anew.
        _ = machine.availabilityChanged(0, .unavailable(.noFix), now: at(35.5))
        for second in 36..<66 {
            _ = machine.received(1, isReliable: true, now: at(Double(second)))
            #expect(good(&machine, 0, Double(second)).chosen == nil)
        }
        _ = machine.received(1, isReliable: true, now: at(66))
        #expect(machine.chosen == 1)
        #expect(
            machine.received(0, isReliable: true, now: at(66))
                == Actions(chosen: 0, availability: .available, delivers: true))
    }

    @Test func aLostOneNeedsNoProofWhereNothingElseIsGood() {
        var machine = machine()
        _ = (good(&machine, 0, 0), good(&machine, 1, 0))
        _ = machine.availabilityChanged(0, .unavailable(.noFix), now: at(1))
        #expect(
            machine.availabilityChanged(1, .unavailable(.noFix), now: at(2))
                == Actions(availability: .unavailable(.noFix)))
        #expect(good(&machine, 0, 3).delivers)
        #expect(machine.chosen == 0)
    }

    @Test func aSourceThatNeverSaysItsAccuracyServesOnlyWhereNoneIsReliable() {
        var machine = machine()
        _ = machine.availabilityChanged(0, .available, now: at(0))
        #expect(machine.received(0, isReliable: false, now: at(0)).delivers)
        #expect(good(&machine, 1, 1) == Actions(chosen: 1, availability: .available, delivers: true))
        #expect(machine.received(0, isReliable: false, now: at(2)).delivers == false)
        _ = machine.availabilityChanged(1, .unavailable(.noFix), now: at(3))
        #expect(machine.chosen == 0)
        #expect(machine.received(0, isReliable: false, now: at(3)).delivers)
    }

    @Test func positionsOfAnUnavailableSourceArePassedOnWhileThereIsNoOther() {
        var machine = machine(1)
        #expect(machine.received(0, isReliable: false, now: at(0)).delivers)
        _ = machine.availabilityChanged(0, .unavailable(.noFix), now: at(1))
        #expect(
            machine.received(0, isReliable: false, now: at(2))
                == Actions(availability: .unavailable(.noFix), delivers: true))
    }

    @Test func closingForgets() {
        var machine = machine()
        _ = good(&machine, 1, 0)
        machine.reset()
        #expect(machine == self.machine())
    }
}
