import Positioning
import Testing

@testable import LocationProviders

/// A machine with its clock, for tests that read like a log.
private struct Scene {
    var machine: GPSDMachine
    var now = MonotonicInstant(nanoseconds: 0)
    static let address = "localhost:2947"

    init(_ assumption: AccuracyAssumption = AccuracyAssumption()) {
        machine = GPSDMachine(settings: GPSDSettings(), common: CommonProviderSettings(assumption: assumption))
    }

    mutating func connected() -> Scene {
        _ = machine.start()
        _ = machine.connected(now: now)
        _ = line(#"{"class":"VERSION","proto_major":3}"#)
        return self
    }

    mutating func pass(_ seconds: Double) { now = now + Duration.seconds(seconds) }

    mutating func line(_ text: String) -> GPSDMachine.Actions {
        let bytes = Array(text.utf8)
        machine.received(now: now)
        guard let message = try? GPSDMessage.read(bytes.span) else { return GPSDMachine.Actions() }
        return machine.read(message, now: now)
    }

    mutating func fix(_ second: Int = 0) -> GPSDMachine.Actions {
        line(#"{"class":"TPV","mode":3,"time":"2026-11-30T12:00:0\#(second).000Z","lat":54.5,"lon":3.5,"eph":10}"#)
    }

    /// Fires the timer at its deadline.
    mutating func timer(random: Double = 0.5) -> GPSDMachine.Actions {
        if let deadline = machine.deadline { now = max(now, deadline) }
        return machine.timerFired(now: now, random: random)
    }

    mutating func disconnect() -> GPSDMachine.Actions { machine.disconnected(now: now, random: 0.5) }
    mutating func refuse() -> GPSDMachine.Actions { machine.connectFailed(.errno(111), now: now, random: 0.5) }
}

@Suite struct GPSDMachineTests {
    typealias Actions = GPSDMachine.Actions
    private let down = Availability.unavailable(.providerDown)

    @Test func watchIsSentOncePerConnectionAndTheFirstFixMakesItAvailable() {
        var scene = Scene()
        #expect(scene.machine.start() == Actions(command: .connect))
        #expect(scene.machine.start() == Actions())
        #expect(scene.machine.connected(now: scene.now) == Actions(command: .watch))
        #expect(scene.machine.connected(now: scene.now) == Actions())
        #expect(
            scene.line(#"{"class":"VERSION","proto_major":3}"#) == Actions(notice: .connected(address: Scene.address)))
        #expect(scene.line(#"{"class":"WATCH","enable":true}"#) == Actions())
        let actions = scene.fix()
        #expect(actions.availability == .available)
        #expect(actions.location?.horizontalAccuracy == 6.2)
        #expect(actions.notice == nil)
        #expect(scene.machine.stop() == Actions(command: .disconnect))
        #expect(scene.machine.stop() == Actions())
        #expect(scene.machine.state == .idle)
    }

    @Test func lossOfFixIsToldAtOnce() {
        var scene = Scene()
        _ = scene.connected().machine
        _ = scene.fix()
        #expect(
            scene.line(#"{"class":"TPV","mode":1,"time":"2026-11-30T12:00:01.000Z"}"#)
                == Actions(availability: .unavailable(.noFix)))
    }

    @Test func aMissingAccuracyIsAssumedWhereConfigured() {
        var scene = Scene(AccuracyAssumption(metres: 12))
        _ = scene.connected()
        let actions = scene.line(#"{"class":"TPV","mode":3,"lat":54.5,"lon":3.5}"#)
        #expect(actions.location?.horizontalAccuracy == 12)
        #expect(actions.location?.isAccuracyAssumed == true)
        #expect(scene.fix().location?.isAccuracyAssumed == false)
    }

    @Test("G04: another major version of the protocol is one warning, and it carries on") func g04Version() {
        var scene = Scene()
        _ = scene.machine.start()
        _ = scene.machine.connected(now: scene.now)
        let greeting = #"{"class":"VERSION","proto_major":4}"#
        #expect(
            scene.line(greeting)
                == Actions(
                    notice: .connected(address: Scene.address),
                    warning: .unknownProtocol(address: Scene.address, major: 4)))
        #expect(scene.line(greeting) == Actions())
        #expect(scene.fix().availability == .available)
    }

    @Test("G12: a refused connection is tried again with capped back-off, told once") func g12Refused() {
        var scene = Scene()
        _ = scene.machine.start()
        #expect(
            scene.refuse()
                == Actions(availability: down, notice: .unreachable(address: Scene.address, .errno(111))))
        var waits: [Duration] = []
        for _ in 0..<8 {
            let before = scene.now
            #expect(scene.timer() == Actions(command: .connect))
            waits.append(scene.now - before)
            #expect(scene.refuse() == Actions(availability: down))
        }
        #expect(waits == [0.5, 1, 2, 4, 8, 15, 15, 15].map { Duration.seconds($0) })
        #expect(
            scene.timer() == Actions(command: .connect)
                && scene.machine.connectFailed(.timeout, now: scene.now, random: 0).notice
                    == .unreachable(address: Scene.address, .timeout)
        )
    }

    @Test("G12: after a restart of gpsd it connects and watches again, each change told once") func g12Restart() {
        var scene = Scene()
        _ = scene.connected()
        _ = scene.fix()
        scene.pass(20)
        _ = scene.fix(1)
        #expect(
            scene.disconnect()
                == Actions(availability: down, notice: .disconnected(address: Scene.address), command: .disconnect))
        #expect(scene.disconnect() == Actions())
        #expect(scene.fix(2) == Actions())
        #expect(scene.timer() == Actions(command: .connect))
        #expect(scene.refuse().notice == .unreachable(address: Scene.address, .errno(111)))
        #expect(scene.timer() == Actions(command: .connect))
        #expect(scene.machine.connected(now: scene.now) == Actions(command: .watch))
        #expect(
            scene.line(#"{"class":"VERSION","proto_major":3}"#) == Actions(notice: .connected(address: Scene.address)))
        #expect(scene.fix(3).availability == .available)
    }

    @Test("G12: a server that accepts and drops is told once and backed off from") func g12AcceptAndDrop() {
        var scene = Scene()
        _ = scene.machine.start()
        var notices: [ProviderNotice] = []
        var waits: [Duration] = []
        for _ in 0..<5 {
            #expect(scene.machine.connected(now: scene.now).command == .watch)
            notices += [scene.disconnect().notice].compactMap { $0 }
            let before = scene.now
            #expect(scene.timer() == Actions(command: .connect))
            waits.append(scene.now - before)
        }
        #expect(notices == [.disconnected(address: Scene.address)])
        #expect(waits == [0.5, 1, 2, 4, 8].map { Duration.seconds($0) })
    }

    @Test("G12: a server that accepts and sends nothing is down after the silence, and left after the dead time")
    func g12Mute() {
        var scene = Scene()
        _ = scene.machine.start()
        _ = scene.machine.connected(now: scene.now)
        #expect(scene.timer() == Actions(availability: down, notice: .silent(address: Scene.address)))
        #expect(scene.now == MonotonicInstant(nanoseconds: 10_000_000_000))
        #expect(scene.timer() == Actions(command: .disconnect))
        #expect(scene.now == MonotonicInstant(nanoseconds: 30_000_000_000))
        #expect(scene.timer() == Actions(command: .connect))
        #expect(scene.machine.connected(now: scene.now) == Actions(command: .watch))
        // Still mute: nothing new is told.
        #expect(scene.timer() == Actions(availability: down))
    }

    @Test("G01: gpsd says nothing where a receiver has no fix: silence is noFix, once, and recovery is told")
    func g01Silence() {
        var scene = Scene()
        _ = scene.connected()
        _ = scene.fix()
        scene.pass(9)
        _ = scene.line(#"{"class":"SKY","nSat":0}"#)
        #expect(
            scene.timer()
                == Actions(availability: .unavailable(.noFix), notice: .silent(address: Scene.address)))
        #expect(scene.now == MonotonicInstant(nanoseconds: 10_000_000_000))
        scene.pass(10)
        _ = scene.line(#"{"class":"SKY","nSat":0}"#)
        #expect(scene.machine.timerFired(now: scene.now, random: 0.5) == Actions())
        // Dead silence makes the connection anew and keeps what is known.
        #expect(scene.timer() == Actions(command: .disconnect))
        #expect(scene.timer() == Actions(command: .connect))
        _ = scene.machine.connected(now: scene.now)
        #expect(scene.line(#"{"class":"VERSION","proto_major":3}"#) == Actions())
        let recovery = scene.fix(1)
        #expect(recovery.availability == .available)
        #expect(recovery.notice == .delivering(address: Scene.address))
        #expect(scene.fix(2).notice == nil)
    }

    @Test func aDeviceThatIsLostIsProviderDownUntilItDelivers() {
        var scene = Scene()
        _ = scene.connected()
        let lost = Actions(availability: down, notice: .deviceLost(address: Scene.address))
        #expect(scene.line(#"{"class":"DEVICES","devices":[]}"#) == lost)
        #expect(scene.line(#"{"class":"DEVICES","devices":[]}"#) == Actions(availability: down))
        // Silence is no surprise then.
        #expect(scene.timer() == Actions())
        #expect(scene.fix().notice == .delivering(address: Scene.address))
        #expect(scene.line(#"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":0}"#) == lost)
    }

    @Test func anotherDevicesLossIsNotThisOnes() {
        var scene = Scene()
        _ = scene.connected()
        _ = scene.line(
            #"{"class":"TPV","device":"/dev/a","mode":3,"lat":54.5,"lon":3.5,"time":"2026-11-30T12:00:00Z"}"#)
        #expect(scene.line(#"{"class":"DEVICE","path":"/dev/b","activated":0}"#) == Actions())
        #expect(scene.line(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#).availability == down)
    }

    @Test func anErrorIsAWarningAndGarbageIsNothing() {
        var scene = Scene()
        _ = scene.connected()
        #expect(scene.line(#"{"class":"ERROR","message":"?"}"#) == Actions(warning: .refused(address: Scene.address)))
        #expect(scene.line(#"{"class":"TPV","mode":3,"lat":54.5"#) == Actions())
        #expect(scene.line(#"{"class":"BRANDNEW","mode":3}"#) == Actions())
    }

    @Test func whilePausedSilenceIsTheConsumersOwn() {
        var scene = Scene()
        _ = scene.connected()
        _ = scene.fix()
        scene.machine.setPaused(true, now: scene.now)
        #expect(scene.machine.deadline == nil)
        scene.pass(100)
        #expect(scene.machine.timerFired(now: scene.now, random: 0.5) == Actions())
        scene.machine.setPaused(false, now: scene.now)
        #expect(scene.machine.deadline == scene.now + Duration.seconds(10))
    }
}
