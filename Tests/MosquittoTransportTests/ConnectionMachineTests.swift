import MessageTransport
import Testing

@testable import MosquittoTransport

@Suite struct ConnectionMachineTests {
    static func machine(sessionExpiry: UInt32 = 60) -> ConnectionMachine {
        var configuration = MosquittoConfiguration(
            address: BrokerAddress(host: "broker", port: 1883, usesTLS: false), clientID: "van-1")
        configuration.sessionExpiry = sessionExpiry
        configuration.connectTimeout = 100
        configuration.backoff.initial = 10
        configuration.backoff.maximum = 1000
        configuration.backoff.stableAfter = 500
        return ConnectionMachine(configuration)
    }

    static func connected(_ now: Int64 = 0) -> ConnectionMachine {
        var machine = machine()
        _ = machine.start(now: now)
        _ = machine.connectReturned(attempt: 1, failure: nil, now: now, random: 0)
        _ = machine.accepted(BrokerCapabilities(), now: now)
        return machine
    }

    let lost = TransportFailure(.lost, "gone")

    @Test func theFirstConnectStartsCleanAndALaterOneKeepsTheSession() {
        var machine = Self.connected()
        #expect(machine.failed(lost, now: 10, random: 0.5) == [.destroy, .tell(.disconnected(lost))])
        #expect(machine.phase == .waiting(until: 15))
        #expect(
            machine.deadlinePassed(now: 15, random: 0)
                == [.connect(attempt: 2, cleanStart: false, limits: .init())])
    }

    @Test func withoutSessionExpiryEveryConnectStartsClean() {
        var machine = Self.machine(sessionExpiry: 0)
        #expect(machine.start(now: 0) == [.connect(attempt: 1, cleanStart: true, limits: .init())])
        _ = machine.connectReturned(attempt: 1, failure: nil, now: 0, random: 0)
        _ = machine.accepted(BrokerCapabilities(), now: 0)
        _ = machine.failed(lost, now: 0, random: 0)
        #expect(
            machine.deadlinePassed(now: 0, random: 0)
                == [.connect(attempt: 2, cleanStart: true, limits: .init())])
    }

    @Test func aSessionOfAnEarlierRunIsTakenUpWhereAskedFor() {
        var configuration = MosquittoConfiguration(
            address: BrokerAddress(host: "h", port: 1, usesTLS: false), clientID: "c")
        configuration.takesUpSession = true
        var machine = ConnectionMachine(configuration)
        #expect(machine.start(now: 0) == [.connect(attempt: 1, cleanStart: false, limits: .init())])
        configuration.sessionExpiry = 0
        machine = ConnectionMachine(configuration)
        #expect(machine.start(now: 0) == [.connect(attempt: 1, cleanStart: true, limits: .init())])
    }

    @Test func aBlockedConnectIsAbandonedAndItsLateResultIgnored() {
        var machine = Self.machine()
        _ = machine.start(now: 0)
        #expect(machine.nextDeadline == 100)
        let failure = TransportFailure(.unreachable, "no connection within the time allowed")
        #expect(machine.deadlinePassed(now: 100, random: 0) == [.destroy, .tell(.disconnected(failure))])
        _ = machine.deadlinePassed(now: 100, random: 0)
        #expect(machine.attempt == 2)
        #expect(machine.connectReturned(attempt: 1, failure: nil, now: 101, random: 0) == [])
        #expect(machine.connectReturned(attempt: 2, failure: nil, now: 101, random: 0) == [.adopt])
    }

    @Test func aBrokerThatRefusesRetainIsAskedAgainAtOnceWithoutIt() {
        var machine = Self.machine()
        _ = machine.start(now: 0)
        _ = machine.connectReturned(attempt: 1, failure: nil, now: 0, random: 0)
        let refusal = TransportFailure(.refused, "no retain", reason: .retainNotSupported)
        _ = machine.failed(refusal, now: 0, random: 0.9)
        #expect(
            machine.deadlinePassed(now: 0, random: 0)
                == [.connect(attempt: 2, cleanStart: true, limits: .init(retain: false))])
    }

    /// Connects again and loses the connection after `lasting`; returns the ceiling of the delay that follows.
    static func ceiling(
        _ machine: inout ConnectionMachine, _ now: Int64, kind: TransportFailure.Kind, lasting: Int64
    ) -> Int64? {
        _ = machine.deadlinePassed(now: now, random: 0)
        _ = machine.connectReturned(attempt: machine.attempt, failure: nil, now: now, random: 0)
        _ = machine.accepted(BrokerCapabilities(), now: now)
        _ = machine.failed(TransportFailure(kind, ""), now: now + lasting, random: 0.5)
        guard case .waiting(let until) = machine.phase else { return nil }
        return (until - now - lasting) * 2
    }

    @Test func shortConnectionsAndTakeoversKeepTheBackoffGrowing() {
        var machine = Self.connected()
        _ = machine.failed(lost, now: 10, random: 0.5)
        #expect(machine.phase == .waiting(until: 15))
        #expect(Self.ceiling(&machine, 100_000, kind: .lost, lasting: 10) == 20)
        #expect(Self.ceiling(&machine, 200_000, kind: .takenOver, lasting: 50_000) == 40)
        #expect(Self.ceiling(&machine, 300_000, kind: .lost, lasting: 499) == 80)
        #expect(Self.ceiling(&machine, 400_000, kind: .lost, lasting: 500) == 10)
    }

    /// Two clients with one id: each stays for as long as the other waits, however long that has become.
    @Test func aConnectionThatLastsOnlyAsLongAsTheDelayIsNotGood() {
        var machine = Self.connected()
        _ = machine.failed(lost, now: 10, random: 0.5)
        var ceiling: Int64 = 10
        for round in 1...10 {
            let next = Self.ceiling(&machine, Int64(round) * 100_000, kind: .lost, lasting: ceiling)
            #expect(next == min(2 * ceiling, 1000))
            ceiling = next ?? 0
        }
        #expect(Self.ceiling(&machine, 9_000_000, kind: .lost, lasting: 2000) == 10)
    }

    @Test(arguments: ["idle", "connecting", "handshaking", "waiting"])
    func stopBeforeTheConnectionStandsIsImmediate(phase: String) {
        var machine = Self.machine()
        if phase != "idle" { _ = machine.start(now: 0) }
        if phase == "handshaking" { _ = machine.connectReturned(attempt: 1, failure: nil, now: 0, random: 0) }
        if phase == "waiting" { _ = machine.connectReturned(attempt: 1, failure: lost, now: 0, random: 0) }
        #expect(machine.stop(now: 1) == [.destroy, .tell(.stopped)])
        #expect(machine.stop(now: 1) == [])
        #expect(machine.start(now: 1) == [])
        #expect(machine.nextDeadline == nil)
    }

    @Test func stopOfAConnectionWritesTheDisconnectWithinADeadline() {
        var machine = Self.connected()
        #expect(machine.stop(now: 5) == [.disconnect])
        var flushed = machine
        #expect(flushed.flushed() == [.destroy, .tell(.stopped)])
        var broken = machine
        #expect(broken.failed(lost, now: 6, random: 0) == [.destroy, .tell(.stopped)])
        #expect(machine.deadlinePassed(now: 1_000_000_005, random: 0) == [.destroy, .tell(.stopped)])
    }
}
