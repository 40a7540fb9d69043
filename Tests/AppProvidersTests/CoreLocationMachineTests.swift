import Positioning
import Testing

@testable import AppProviders

@Suite struct CoreLocationMachineTests {
    typealias Actions = CoreLocationMachine.Actions
    private let denied = Availability.unavailable(.permissionDenied)
    private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }
    private func machine(_ authorization: CoreLocationAuthorization) -> CoreLocationMachine {
        CoreLocationMachine(authorization: authorization, patience: .seconds(10))
    }

    @Test(arguments: [CoreLocationAuthorization.always, .whenInUse])
    func authorizedStarts(_ authorization: CoreLocationAuthorization) {
        var machine = machine(authorization)
        #expect(machine.start() == Actions(commands: [.startUpdating]))
        #expect(machine.start() == Actions())
        #expect(machine.authorizationChanged(authorization) == Actions())
        #expect(machine.updated(count: 1, isUsable: true) == Actions(availability: .available, delivers: true))
        #expect(machine.stop() == Actions(commands: [.stopUpdating]))
        #expect(machine.stop() == Actions())
        #expect(machine.updated(count: 1, isUsable: true) == Actions())
        #expect(machine.start() == Actions(commands: [.startUpdating]), "start, stop, start resumes")
    }

    @Test func theUserIsAskedOnceAndTheAnswerDecides() {
        var machine = machine(.notDetermined)
        #expect(
            machine.authorizationChanged(.notDetermined) == Actions(), "CoreLocation says so when a manager is made")
        #expect(machine.start() == Actions(commands: [.requestAuthorization]))
        #expect(machine.authorizationChanged(.notDetermined) == Actions())
        #expect(machine.authorizationChanged(.whenInUse) == Actions(commands: [.startUpdating]))
        var other = self.machine(.notDetermined)
        _ = other.start()
        #expect(other.authorizationChanged(.denied) == Actions(availability: denied))
        #expect(other.state == .refused)
        #expect(other.stop() == Actions())
    }

    @Test(arguments: [CoreLocationAuthorization.denied, .restricted])
    func refusedStopsAndGrantedAgainRecovers(_ refusal: CoreLocationAuthorization) {
        var machine = machine(refusal)
        #expect(machine.start() == Actions(availability: denied))
        #expect(machine.authorizationChanged(.always) == Actions(commands: [.startUpdating]))
        #expect(machine.authorizationChanged(refusal) == Actions(commands: [.stopUpdating], availability: denied))
        #expect(machine.updated(count: 1, isUsable: true) == Actions())
        #expect(machine.authorizationChanged(.whenInUse) == Actions(commands: [.startUpdating]))
        #expect(machine.failed(.denied, now: at(0)) == Actions(commands: [.stopUpdating], availability: denied))
        #expect(machine.failed(.denied, now: at(1)) == Actions())
        #expect(machine.authorizationChanged(.whenInUse) == Actions(commands: [.startUpdating]))
        #expect(
            machine.authorizationChanged(.notDetermined)
                == Actions(commands: [.stopUpdating, .requestAuthorization], availability: denied))
    }

    @Test func whileNobodyTracksAnAuthorizationStartsNothing() {
        var machine = machine(.denied)
        #expect(machine.authorizationChanged(.always) == Actions())
        #expect(machine.failed(.locationUnknown, now: at(0)) == Actions())
        #expect(machine.start() == Actions(commands: [.startUpdating]))
    }

    @Test func locationUnknownIsTransientUntilItsTimeIsOver() {
        var machine = machine(.always)
        _ = machine.start()
        #expect(machine.deadline == nil)
        #expect(machine.failed(.locationUnknown, now: at(5)) == Actions())
        #expect(machine.failed(.locationUnknown, now: at(9)) == Actions())
        #expect(machine.deadline == at(15))
        #expect(machine.deadlinePassed(now: at(14.9)) == Actions())
        #expect(machine.deadlinePassed(now: at(15)) == Actions(availability: .unavailable(.noFix)))
        #expect(machine.deadline == nil)
        #expect(machine.failed(.locationUnknown, now: at(16)) == Actions())
        #expect(machine.deadline == nil, "it is told once")
        // A position that does not say how accurate it is ends nothing, one that does all.
        #expect(machine.updated(count: 1, isUsable: false) == Actions(delivers: true))
        #expect(machine.updated(count: 1, isUsable: true) == Actions(availability: .available, delivers: true))
        #expect(machine.failed(.locationUnknown, now: at(20)) == Actions())
        #expect(machine.deadline == at(30))
        _ = machine.stop()
        #expect(machine.deadline == nil)
    }

    @Test func whatIsOddIsAWarning() {
        var machine = machine(.always)
        _ = machine.start()
        #expect(machine.updated(count: 0, isUsable: false) == Actions(warning: .emptyBatch))
        #expect(machine.failed(.other(code: 2), now: at(0)) == Actions(warning: .failed(code: 2)))
        #expect(machine.state == .running)
    }

    @Test func thePlatformsNumbers() {
        #expect(
            (0...5).map { CoreLocationAuthorization(rawValue: $0) }
                == [.notDetermined, .restricted, .denied, .always, .whenInUse, .notDetermined])
        #expect((0...2).map { CoreLocationFailure(code: $0) } == [.locationUnknown, .denied, .other(code: 2)])
    }
}
