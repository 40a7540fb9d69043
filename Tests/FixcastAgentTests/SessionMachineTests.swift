import Testing

@testable import FixcastAgent

private let second: Int64 = 1_000_000_000

@Suite struct SessionMachineTests {
    /// Online on its second connection, birth seen.
    static func online(canTellDenial: Bool = true) -> SessionMachine {
        var machine = SessionMachine(boot: 5, isFirstBoot: true, canTellDenial: canTellDenial)
        _ = machine.connected(connection: 1, now: 0)
        _ = machine.seen(.own(boot: 5, connection: 1), now: 0)
        return machine
    }

    @Test func aNewInstanceIsBornAtOnce() {
        var machine = SessionMachine(boot: 1, isFirstBoot: true, canTellDenial: true)
        #expect(
            machine.connected(connection: 1, now: 0)
                == [.subscribeToOwnAvailability, .publish(.birth), .openDelivery])
        #expect(machine.isOnline)
    }

    @Test func aLaterBootReadsWhatTheBrokerRetainsBeforeItsFirstBirthOnly() {
        var machine = SessionMachine(boot: 5, isFirstBoot: false, canTellDenial: true)
        #expect(machine.connected(connection: 1, now: 0) == [.subscribeToOwnAvailability])
        #expect(machine.seen(.own(boot: 4, connection: 9), now: 1) == [.publish(.birth), .openDelivery])
        #expect(machine.disconnected() == [.closeDelivery])
        #expect(
            machine.connected(connection: 2, now: 2)
                == [.subscribeToOwnAvailability, .publish(.birth), .openDelivery])
    }

    @Test func nothingRetainedIsABirthAfterAMoment() {
        var machine = SessionMachine(boot: 5, isFirstBoot: false, canTellDenial: true)
        _ = machine.connected(connection: 1, now: 0)
        #expect(machine.subscribed(refused: false, now: 0) == [])
        #expect(machine.deadlinePassed(now: second - 1) == [])
        #expect(machine.deadlinePassed(now: second) == [.publish(.birth), .openDelivery])
    }

    @Test func theProbeOfALostConnectionIsRepeated() {
        var machine = SessionMachine(boot: 5, isFirstBoot: false, canTellDenial: true)
        _ = machine.connected(connection: 1, now: 0)
        #expect(machine.disconnected() == [])
        #expect(machine.connected(connection: 2, now: 0) == [.subscribeToOwnAvailability])
    }

    @Test(arguments: [5, 6, 99])
    func aRestoredImageTakesANewInstanceBeforeItsBirth(retained: Int) {
        var machine = SessionMachine(boot: 5, isFirstBoot: false, canTellDenial: true)
        _ = machine.connected(connection: 1, now: 0)
        let boot = UInt64(retained)
        #expect(
            machine.seen(.own(boot: boot, connection: 1), now: 0)
                == [.tell(.restoredImage(boot: boot)), .takeNewInstance, .reconnect])
        // The next connection has a will of the new instance.
        #expect(machine.disconnected() == [])
        #expect(
            machine.connected(connection: 2, now: 1)
                == [.subscribeToOwnAvailability, .publish(.birth), .openDelivery])
        #expect(machine.seen(.own(boot: 1, connection: 2), now: 1) == [])
        #expect(machine.seen(.foreign, now: 1) != [], "the old instance's state is foreign now")
    }

    /// As with a broker that does not say that it gave the session to another client.
    @Test func anotherAgentBehindEachUnexplainedEndUsesThisClientsID() {
        var machine = Self.online()
        var told: [Int] = []
        for round in 1...4 {
            #expect(machine.disconnected(.unexplained) == [.closeDelivery])
            #expect(machine.disconnected(.explained) == [], "an attempt failed")
            _ = machine.connected(connection: UInt64(round + 1), now: 0)
            if machine.seen(.otherAgent, now: 0) == [.tell(.clientIDInUse)] { told.append(round) }
            #expect(machine.seen(.own(boot: 5, connection: UInt64(round + 1)), now: 0) == [])
        }
        #expect(told == [2, 3, 4])
    }

    @Test(arguments: [SessionMachine.Seen.foreign, .own(boot: 5, connection: 1), .otherAgent])
    func endsWithAReasonOrWithoutAnotherAgentAreNoTakeovers(seen: SessionMachine.Seen) {
        var machine = Self.online()
        for round in 2...9 {
            _ = machine.disconnected(seen == .otherAgent ? .explained : .unexplained)
            _ = machine.connected(connection: UInt64(round), now: 0)
            #expect(machine.seen(seen, now: 0) == [])
        }
    }

    @Test func aTakeoverThatTheBrokerTellsIsSaidAtOnce() {
        var machine = Self.online()
        #expect(machine.disconnected(.takenOver) == [.closeDelivery, .tell(.clientIDInUse)])
    }

    @Test("M01: an older or foreign state that replaced the birth is repaired")
    func m01Repair() {
        for seen: SessionMachine.Seen in [.foreign, .own(boot: 4, connection: 7), .own(boot: 5, connection: 0)] {
            var machine = Self.online()
            #expect(machine.seen(seen, now: 0) == [.tell(.foreignAvailability), .publish(.repair)])
            #expect(machine.seen(.own(boot: 5, connection: 1), now: 1) == [], "its own repair comes back")
        }
    }

    @Test func whatTheBrokerHeldBeforeTheBirthIsNoForeignState() {
        var machine = Self.online()
        _ = machine.disconnected()
        _ = machine.connected(connection: 2, now: 0)
        #expect(machine.seen(.own(boot: 5, connection: 1), now: 0) == [])
        #expect(machine.seen(.own(boot: 5, connection: 2), now: 0) == [])
        #expect(machine.seen(.own(boot: 5, connection: 1), now: 0) != [])
    }

    @Test func repairsOfAFightSlowDown() {
        var machine = Self.online()
        var repairs: [Int64] = []
        var now: Int64 = 0
        while now < 300 * second {
            var actions = machine.seen(.foreign, now: now)
            actions += machine.deadlinePassed(now: now)
            if actions.contains(.publish(.repair)) { repairs.append(now / second) }
            now += second / 10
        }
        #expect(repairs.count < 12)
        #expect(zip(repairs, repairs.dropFirst()).allSatisfy { $1 - $0 <= 60 })
        // After a quiet while the next one is answered at once.
        #expect(machine.deadlinePassed(now: now + 61 * second) != [])
        #expect(machine.seen(.foreign, now: now + 300 * second).contains(.publish(.repair)))
    }

    @Test("M07: on 3.1.1 a birth that never comes back is told")
    func m07BirthNotSeen() {
        var machine = SessionMachine(boot: 1, isFirstBoot: true, canTellDenial: false)
        _ = machine.connected(connection: 1, now: 0)
        #expect(machine.nextDeadline == 10 * second)
        var seen = machine
        _ = seen.seen(.own(boot: 1, connection: 1), now: second)
        #expect(seen.nextDeadline == nil)
        #expect(machine.deadlinePassed(now: 10 * second) == [.tell(.birthNotSeen)])
        #expect(machine.nextDeadline == nil)
    }

    @Test func whoMayNotReadItsOwnTopicIsBornAllTheSame() {
        var machine = SessionMachine(boot: 2, isFirstBoot: false, canTellDenial: false)
        _ = machine.connected(connection: 1, now: 0)
        #expect(
            machine.subscribed(refused: true, now: 0)
                == [.tell(.cannotReadOwnAvailability), .publish(.birth), .openDelivery])
        #expect(machine.nextDeadline == nil)
    }

    @Test("M04: a clean stop drains, says so, waits for the acknowledgement and then disconnects")
    func m04CleanStop() {
        var machine = Self.online()
        #expect(machine.stop(now: 0) == [])
        #expect(machine.drained(now: 1) == [.closeDelivery, .publish(.stopped)])
        #expect(machine.stopSettled() == [.stopTransport])
        #expect(machine.stop(now: 2) == [])
        #expect(machine.nextDeadline == nil)
    }

    @Test("M04: a stop is over within 5 s, whatever the broker does")
    func m04Deadlines() {
        var machine = Self.online()
        _ = machine.stop(now: 0)
        #expect(machine.deadlinePassed(now: 2 * second) == [.closeDelivery, .publish(.stopped)])
        #expect(machine.nextDeadline == 5 * second)
        #expect(machine.deadlinePassed(now: 5 * second) == [.tell(.stopNotAcknowledged), .stopTransport])
        var offline = SessionMachine(boot: 1, isFirstBoot: true, canTellDenial: true)
        #expect(offline.stop(now: 0) == [.stopTransport])
        var lost = Self.online()
        _ = lost.stop(now: 0)
        #expect(lost.disconnected() == [.closeDelivery, .stopTransport])
    }

    @Test("M04: stopped while it reads what is retained, it replaces what an earlier boot left there")
    func m04StopWhileProbing() {
        var machine = SessionMachine(boot: 5, isFirstBoot: false, canTellDenial: true)
        _ = machine.connected(connection: 1, now: 0)
        #expect(machine.stop(now: 0) == [.closeDelivery, .publish(.stopped)])
        #expect(machine.stopSettled() == [.stopTransport])
        #expect(machine.isStopped)
    }

    @Test func changesAreToldOnlyWhileOnline() {
        var machine = SessionMachine(boot: 1, isFirstBoot: true, canTellDenial: true)
        #expect(machine.changed() == [])
        machine = Self.online()
        #expect(machine.changed() == [.publish(.change)])
        _ = machine.stop(now: 0)
        #expect(machine.changed() == [])
    }
}
