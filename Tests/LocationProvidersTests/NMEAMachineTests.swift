import Positioning
import Testing

@testable import LocationProviders

/// A machine with its clock, for tests that read like a log.
private struct Scene {
    var machine: NMEAMachine
    var now = MonotonicInstant(nanoseconds: 0)
    let source: SourceAddress

    init(_ source: SourceAddress = .serial(path: "/dev/ttyUSB0", baud: .b9600), assuming metres: Double = 0) {
        self.source = source
        machine = NMEAMachine(
            settings: NMEASettings(source: source),
            common: CommonProviderSettings(assumption: AccuracyAssumption(metres: metres)))
    }

    mutating func opened() -> Scene {
        _ = machine.start()
        _ = machine.opened(now: now)
        return self
    }

    mutating func pass(_ seconds: Double) { now = now + Duration.seconds(seconds) }

    mutating func bytes(_ count: Int = 400, sentences: Int = 0) -> NMEAMachine.Actions {
        machine.received(bytes: count, sentences: sentences, now: now)
    }

    mutating func fix(_ second: Double = 0, from sender: UInt64 = 0) -> NMEAMachine.Actions {
        machine.read(.fix(location(second)), from: sender, now: now)
    }

    mutating func noFix(from sender: UInt64 = 0) -> NMEAMachine.Actions {
        machine.read(.noFix(nil), from: sender, now: now)
    }

    /// Fires the timer at its deadline.
    mutating func timer(random: Double = 0.5) -> NMEAMachine.Actions {
        if let deadline = machine.deadline { now = max(now, deadline) }
        return machine.timerFired(now: now, random: random)
    }

    mutating func lost() -> NMEAMachine.Actions { machine.lost(now: now, random: 0.5) }
    mutating func refused(_ failure: SourceFailure) -> NMEAMachine.Actions {
        machine.openFailed(failure, now: now, random: 0.5)
    }

    func location(_ second: Double = 0) -> Location {
        Location(
            coordinate: Coordinate(latitude: 54.5, longitude: 3.5), horizontalAccuracy: 5, timestamp: noon + second)
    }
}

@Suite struct NMEAMachineTests {
    typealias Actions = NMEAMachine.Actions
    private let down = Availability.unavailable(.providerDown)

    @Test func theFirstSentenceIsToldAndTheFirstFixMakesItAvailable() {
        var scene = Scene()
        #expect(scene.machine.start() == Actions(command: .open(nil)))
        #expect(scene.machine.start() == Actions())
        #expect(scene.machine.opened(now: scene.now) == Actions())
        #expect(scene.bytes(sentences: 1) == Actions(notice: .reading(source: scene.source, found: nil)))
        #expect(scene.bytes(sentences: 1) == Actions())
        #expect(scene.fix() == Actions(availability: .available, location: scene.location()))
        #expect(scene.noFix() == Actions(availability: .unavailable(.noFix)))
        #expect(scene.machine.stop() == Actions(command: .close))
        #expect(scene.machine.stop() == Actions())
        #expect(scene.machine.deadline == nil)
    }

    @Test func aMissingAccuracyIsAssumedWhereConfigured() {
        var scene = Scene(assuming: 12)
        _ = scene.opened()
        var location = scene.location()
        location.horizontalAccuracy = nil
        let actions = scene.machine.read(.fix(location), from: 0, now: scene.now)
        #expect(actions.location?.horizontalAccuracy == 12)
        #expect(actions.location?.isAccuracyAssumed == true)
    }

    @Test func anUnpluggedPortIsToldOnceAndLookedForEveryFewSeconds() {
        var scene = Scene()
        _ = scene.opened()
        _ = scene.bytes(sentences: 1)
        scene.pass(60)
        #expect(scene.lost() == Actions(availability: down, notice: .sourceLost(source: scene.source), command: .close))
        let missing = ProviderNotice.sourceUnavailable(source: scene.source, .missing)
        for attempt in 0..<20 {
            let before = scene.now
            #expect(scene.timer() == Actions(command: .open(nil)))
            #expect(scene.now - before <= .seconds(4))
            let actions = scene.refused(.missing)
            #expect(actions == Actions(availability: down, notice: attempt == 0 ? missing : nil))
        }
        _ = scene.timer()
        #expect(scene.machine.opened(now: scene.now) == Actions())
        #expect(scene.bytes(sentences: 1) == Actions(notice: .reading(source: scene.source, found: nil)))
    }

    @Test(arguments: [
        (SourceFailure.permissionDenied, UnavailabilityReason.permissionDenied), (.missing, .providerDown),
        (.inUse, .providerDown), (.notSerial, .providerDown), (.timeout, .providerDown),
    ])
    func whyItCannotBeOpenedIsTold(failure: SourceFailure, reason: UnavailabilityReason) {
        var scene = Scene()
        _ = scene.machine.start()
        #expect(
            scene.refused(failure)
                == Actions(
                    availability: .unavailable(reason),
                    notice: .sourceUnavailable(source: scene.source, failure)))
    }

    @Test func silenceIsToldAndThenThePortIsOpenedAnew() {
        var scene = Scene()
        _ = scene.opened()
        _ = scene.bytes(sentences: 1)
        _ = scene.fix()
        #expect(scene.timer() == Actions(availability: down, notice: .sourceSilent(source: scene.source)))
        #expect(scene.now == MonotonicInstant(nanoseconds: 10_000_000_000))
        #expect(scene.timer() == Actions(command: .close))
        #expect(scene.now == MonotonicInstant(nanoseconds: 30_000_000_000))
        #expect(scene.timer() == Actions(command: .open(nil)))
        _ = scene.machine.opened(now: scene.now)
        // Told already.
        #expect(scene.timer() == Actions(availability: down))
        #expect(scene.bytes(sentences: 1) == Actions(notice: .reading(source: scene.source, found: nil)))
        #expect(scene.fix().availability == .available)
    }

    @Test func bytesThatAreNoNMEAAreTold() {
        var scene = Scene()
        _ = scene.opened()
        var told: [Actions] = []
        for _ in 0..<30 {
            scene.pass(1)
            #expect(scene.bytes() == Actions())
            let actions = scene.machine.timerFired(now: scene.now, random: 0.5)
            if actions != Actions() { told.append(actions) }
        }
        #expect(told == [Actions(availability: down, notice: .notNMEA(source: scene.source))])
        #expect(scene.timer() == Actions(availability: down, notice: .sourceSilent(source: scene.source)))
        // Noise again, and again it has its time to become NMEA.
        for _ in 0..<9 {
            scene.pass(1)
            #expect(scene.bytes() == Actions())
            #expect(scene.machine.timerFired(now: scene.now, random: 0.5) == Actions())
        }
        scene.pass(2)
        _ = scene.bytes()
        #expect(scene.timer() == Actions(availability: down, notice: .notNMEA(source: scene.source)))
    }

    @Test("G01: sentences that tell no position are no fix") func sentencesWithoutEpochs() {
        var scene = Scene()
        _ = scene.opened()
        _ = scene.fix()
        var told: [Actions] = []
        for _ in 0..<30 {
            scene.pass(1)
            _ = scene.bytes(sentences: 3)
            let actions = scene.machine.timerFired(now: scene.now, random: 0.5)
            if actions != Actions() { told.append(actions) }
        }
        #expect(told == [Actions(availability: .unavailable(.noFix))])
        #expect(scene.fix().availability == .available)
    }

    @Test func whilePausedSilenceIsTheConsumersOwn() {
        var scene = Scene()
        _ = scene.opened()
        scene.machine.setPaused(true, now: scene.now)
        #expect(scene.machine.deadline == nil)
        scene.pass(3600)
        #expect(scene.machine.timerFired(now: scene.now, random: 0.5) == Actions())
        scene.machine.setPaused(false, now: scene.now)
        #expect(scene.machine.timerFired(now: scene.now, random: 0.5) == Actions())
        #expect(scene.machine.deadline == scene.now + .seconds(10))
    }

    @Test func aFileEndsForGood() {
        var scene = Scene(.file("drive.nmea"))
        _ = scene.opened()
        #expect(
            scene.machine.ended()
                == Actions(availability: down, notice: .ended(file: "file:drive.nmea"), command: .close))
        #expect(scene.machine.deadline == nil)
        #expect(scene.machine.ended() == Actions())
        #expect(scene.machine.stop() == Actions(command: .close))
        #expect(scene.machine.start() == Actions(command: .open(nil)))
    }

    @Test func aFIFOWaitsForItsNextWriter() {
        var scene = Scene(.file("/run/nmea"))
        _ = scene.opened()
        _ = scene.bytes(sentences: 1)
        _ = scene.fix()
        #expect(
            scene.machine.writerLeft(now: scene.now)
                == Actions(availability: down, notice: .sourceLost(source: scene.source)))
        #expect(scene.machine.deadline == nil)
        scene.pass(3600)
        #expect(scene.bytes(sentences: 1) == Actions(notice: .reading(source: scene.source, found: nil)))
        #expect(scene.fix().availability == .available)
    }

    @Test func ofTwoSendersOneIsFollowedUntilItLosesItsFix() {
        var scene = Scene(.udp(address: "0.0.0.0", port: 10_110))
        _ = scene.opened()
        #expect(scene.noFix(from: 1) == Actions(availability: .unavailable(.noFix)))
        #expect(scene.fix(from: 2).availability == .available)
        #expect(scene.noFix(from: 1) == Actions())
        #expect(scene.fix(from: 1) == Actions())
        for _ in 0..<3 {
            scene.pass(1)
            _ = scene.noFix(from: 2)
        }
        #expect(scene.fix(from: 1).location != nil)
        #expect(scene.fix(from: 2) == Actions())
    }

    @Test func theRateIsSearchedAndKeptForTheNextOpening() {
        var scene = Scene(.serial(path: "/dev/ttyUSB0", baud: nil))
        #expect(scene.machine.start() == Actions(command: .open(.b4800)))
        _ = scene.machine.opened(now: scene.now)
        _ = scene.bytes()
        #expect(scene.timer() == Actions(command: .setRate(.b9600)))
        #expect(scene.bytes(sentences: 2) == Actions(notice: .reading(source: scene.source, found: .b9600)))
        _ = scene.fix()
        _ = scene.lost()
        #expect(scene.timer() == Actions(command: .open(.b9600)))
    }

    @Test func anotherRateIsToldAnew() {
        var scene = Scene(.serial(path: "/dev/ttyUSB0", baud: nil))
        _ = scene.opened()
        _ = scene.bytes(sentences: 1)
        scene.pass(6)
        #expect(scene.bytes() == Actions(command: .setRate(.b9600)))
        #expect(scene.bytes(sentences: 1).notice == .reading(source: scene.source, found: .b9600))
    }

    @Test func whatComesLateFindsNobody() {
        var scene = Scene()
        #expect(scene.machine.opened(now: scene.now) == Actions())
        #expect(scene.bytes(sentences: 1) == Actions())
        #expect(scene.fix() == Actions())
        #expect(scene.lost() == Actions())
        #expect(scene.refused(.missing) == Actions())
        #expect(scene.machine.timerFired(now: scene.now, random: 0.5) == Actions())
    }
}
