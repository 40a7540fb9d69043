import Positioning
import Testing

@testable import LocationProviders

/// A machine with its clock, for tests that read like a log.
private struct Scene {
    var machine: GPSDMachine
    var now = MonotonicInstant(nanoseconds: 0)
    static let address = "localhost:2947"

    init(_ assumption: AccuracyAssumption = AccuracyAssumption(), device: String? = nil) {
        machine = GPSDMachine(
            settings: GPSDSettings(device: device), common: CommonProviderSettings(assumption: assumption))
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

    /// A report of a device: a position with an accuracy, or none.
    private func tpv(_ device: String, _ second: Int, mode: Int = 3, _ more: String = "") -> String {
        let position = mode > 1 ? #","lat":54.5,"lon":3.5,"eph":10"# : ""
        let time = "2026-11-30T12:00:\(second < 10 ? "0" : "")\(second).000Z"
        return #"{"class":"TPV","device":"/dev/\#(device)","mode":\#(mode),"time":"\#(time)"\#(position)\#(more)}"#
    }
    private let twoDevices = #"{"class":"DEVICES","devices":[{"path":"/dev/a"},{"path":"/dev/b"}]}"#

    @Test func oneOfSeveralDevicesIsFollowed() {
        var scene = Scene()
        _ = scene.connected()
        _ = scene.line(twoDevices)
        #expect(scene.line(tpv("a", 0)).location?.timestamp == noon)
        for second in 1..<20 {
            scene.pass(1)
            #expect(scene.line(tpv("b", second)) == Actions())
            #expect(scene.line(tpv("a", second)).location?.timestamp == noon + Double(second))
        }
        // Its loss is told at once, the other's position when five seconds have passed.
        scene.pass(1)
        #expect(scene.line(tpv("a", 20, mode: 1)) == Actions(availability: .unavailable(.noFix)))
        #expect(scene.line(tpv("b", 20)) == Actions())
        scene.pass(4)
        let change = scene.line(tpv("b", 24))
        #expect(change.availability == .available)
        #expect(change.location?.timestamp == noon + 24.0)
        #expect(change.notice == .deviceChanged(address: Scene.address, device: "/dev/b"))
        scene.pass(1)
        #expect(scene.line(tpv("a", 25)) == Actions())
        #expect(scene.line(tpv("b", 25)).notice == nil)
    }

    @Test func theConfiguredDeviceIsReturnedTo() {
        var scene = Scene(device: "/dev/b")
        _ = scene.connected()
        #expect(scene.line(twoDevices) == Actions())
        scene.pass(4)
        #expect(scene.line(tpv("a", 4)) == Actions())
        scene.pass(1)
        #expect(
            scene.line(tpv("a", 5)).notice == .deviceChanged(address: Scene.address, device: "/dev/a"))
        for second in 6..<16 {
            scene.pass(1)
            #expect(scene.line(tpv("b", second)) == Actions())
            #expect(scene.line(tpv("a", second)).location?.timestamp == noon + Double(second))
        }
        scene.pass(1)
        let back = scene.line(tpv("b", 16))
        #expect(back.location?.timestamp == noon + 16.0)
        #expect(back.notice == .deviceChanged(address: Scene.address, device: "/dev/b"))
    }

    @Test func aConfiguredDeviceThatGpsdDoesNotKnowIsToldOnce() {
        var scene = Scene(device: "/dev/c")
        _ = scene.connected()
        #expect(
            scene.line(twoDevices) == Actions(warning: .deviceMissing(address: Scene.address, device: "/dev/c")))
        #expect(scene.line(twoDevices) == Actions())
    }

    @Test func aDeviceThatGoesIsReplacedByOneThatHasAFixAndForgotten() {
        var scene = Scene()
        _ = scene.connected()
        _ = scene.line(twoDevices)
        _ = scene.line(tpv("a", 0))
        _ = scene.line(tpv("b", 0))
        #expect(
            scene.line(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#)
                == Actions(notice: .deviceChanged(address: Scene.address, device: "/dev/b")))
        #expect(scene.line(tpv("b", 1)).location?.timestamp == noon + 1.0)
        #expect(
            scene.line(#"{"class":"DEVICE","path":"/dev/b","activated":0}"#)
                == Actions(availability: down, notice: .deviceLost(address: Scene.address)))
        #expect(scene.line(#"{"class":"DEVICE","path":"/dev/a","activated":"2026-11-30T12:00:02.000Z"}"#) == Actions())
        // It is a device without a past: its report of the same second is news.
        let back = scene.line(tpv("a", 0))
        #expect(back.location?.timestamp == noon)
        #expect(back.availability == .available)
        #expect(back.notice == .delivering(address: Scene.address))
    }

    @Test func anotherDevicesSilenceOrSkyIsNotThisOnes() {
        var scene = Scene()
        _ = scene.connected()
        _ = scene.line(tpv("a", 0))
        _ = scene.line(#"{"class":"SKY","device":"/dev/b","hdop":9.9,"uSat":3}"#)
        #expect(scene.line(tpv("a", 1)).location?.hdop == nil)
        for second in 2..<9 {
            scene.pass(1)
            _ = scene.line(tpv("b", second, mode: 1))
        }
        #expect(scene.timer().notice == .silent(address: Scene.address))
    }

    @Test func aReceiverThatSplitsItsEpochsGivesOnePositionEachWithAllOfIt() {
        var scene = Scene()
        _ = scene.connected()
        #expect(scene.line(tpv("a", 0, mode: 3, #","speed":3.9"#)).location?.course == nil)
        let first = scene.line(tpv("a", 0, mode: 3, #","speed":4,"track":90"#))
        #expect(first.location == nil)
        #expect(first.remembered?.course == 90)
        for second in 1..<5 {
            scene.pass(0.6)
            #expect(
                scene.line(tpv("a", second, mode: 3, #","speed":3.9"#)) == Actions(availability: .available))
            scene.pass(0.4)
            let whole = scene.line(tpv("a", second, mode: 3, #","speed":4,"track":90"#))
            #expect(whole.location?.course == 90)
            #expect(whole.location?.speed == 4)
            #expect(whole.remembered == nil)
            #expect(scene.line(tpv("a", second, mode: 3, #","speed":4,"track":90"#)) == Actions())
        }
        // The second report of an epoch is lost: the first is told when it has waited, or with the next.
        _ = scene.line(tpv("a", 5, mode: 3, #","speed":3.9"#))
        let late = scene.timer()
        #expect(late.earlier?.timestamp == noon + 5.0)
        #expect(late == Actions(earlier: late.earlier))
        _ = scene.line(tpv("a", 6, mode: 3, #","speed":3.9"#))
        _ = scene.line(tpv("a", 6, mode: 3, #","speed":3.9,"track":90"#))
        _ = scene.line(tpv("a", 7, mode: 3, #","speed":3.9"#))
        let next = scene.line(tpv("a", 8, mode: 3, #","speed":3.9,"track":90"#))
        #expect(next.earlier?.timestamp == noon + 7.0)
        #expect(next.location?.timestamp == noon + 8.0)
    }

    @Test func whatWaitsIsToldBeforeTheLossOfFixAndOfTheConnection() {
        func split(_ scene: inout Scene) {
            _ = scene.connected()
            _ = scene.line(tpv("a", 0))
            _ = scene.line(tpv("a", 0, mode: 3, #","track":90"#))
            #expect(scene.line(tpv("a", 1)).location == nil)
        }
        var scene = Scene()
        split(&scene)
        let lost = scene.line(tpv("a", 2, mode: 1))
        #expect(lost.earlier?.timestamp == noon + 1.0)
        #expect(lost.availability == .unavailable(.noFix))
        var other = Scene()
        split(&other)
        #expect(other.disconnect().earlier?.timestamp == noon + 1.0)
    }

    @Test("S1: what gpsd knew before is remembered, not told") func s1Poll() {
        var scene = Scene(device: "/dev/b")
        _ = scene.connected()
        let answer = #"{"class":"POLL","tpv":[\#(tpv("a", 9)),\#(tpv("b", 3))],"sky":[]}"#
        let actions = scene.line(answer)
        #expect(actions.remembered?.timestamp == noon + 3.0)
        #expect(actions == Actions(remembered: actions.remembered))
        #expect(scene.line(#"{"class":"POLL","tpv":[],"sky":[]}"#) == Actions())
        // The stream's report of the same time is news all the same.
        #expect(scene.line(tpv("b", 3)).location?.timestamp == noon + 3.0)
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
