import Positioning
import Testing

@testable import LocationProviders

@Suite struct CommandMachineTests {
    let start = MonotonicInstant(nanoseconds: 50_000_000_000)
    let settings = CommandSettings(run: ["tool", "-x"], silence: .seconds(10))

    func running() -> CommandMachine {
        var machine = CommandMachine(settings: settings)
        #expect(machine.start(now: start) == CommandMachine.Actions(command: .start))
        #expect(machine.started(now: start) == CommandMachine.Actions())
        return machine
    }

    func read(_ text: String, by machine: inout CommandMachine, after seconds: Double = 0) -> CommandMachine.Actions {
        let bytes = Array(text.utf8)
        return machine.read(bytes.span, now: start + .seconds(seconds), utc: noon)
    }

    func complain(_ text: String, to machine: inout CommandMachine, after seconds: Double = 0) -> ProviderNotice? {
        let bytes = Array(text.utf8)
        return machine.complained(bytes.span, now: start + .seconds(seconds)).notice
    }

    var place: Location {
        var location = Location(coordinate: Coordinate(latitude: 54.5, longitude: 3.5), timestamp: noon)
        location.source = "command"
        return location
    }

    @Test func aLineIsAPositionAndTheFirstIsTold() {
        var machine = running()
        #expect(
            read("{\"lat\":54.5,\"lon\":3.5}", by: &machine)
                == CommandMachine.Actions(
                    availability: .available, location: place, notice: .commandDelivers(name: "tool")))
        #expect(
            read("{\"lat\":54.5,\"lon\":3.5}", by: &machine)
                == CommandMachine.Actions(availability: .available, location: place))
        #expect(
            read("{\"fix\":\"none\"}", by: &machine) == CommandMachine.Actions(availability: .unavailable(.noFix)))
    }

    @Test func silenceIsNoFixAndToldOnce() {
        var machine = running()
        #expect(machine.deadline == start + .seconds(10))
        #expect(machine.timerFired(now: start + .seconds(9)) == CommandMachine.Actions())
        let silent = CommandMachine.Actions(
            availability: .unavailable(.noFix), notice: .commandSilent(name: "tool"))
        #expect(machine.timerFired(now: start + .seconds(10)) == silent)
        #expect(machine.timerFired(now: start + .seconds(20)) == CommandMachine.Actions())
        #expect(machine.deadline == nil)
        #expect(read("{\"lat\":54.5,\"lon\":3.5}", by: &machine, after: 30).availability == .available)
        #expect(machine.deadline == start + .seconds(40))
    }

    @Test func theConsumersPauseIsNoSilence() {
        var machine = running()
        machine.setPaused(true, now: start + .seconds(1))
        #expect(machine.deadline == nil)
        #expect(machine.timerFired(now: start + .seconds(100)) == CommandMachine.Actions())
        machine.setPaused(false, now: start + .seconds(100))
        #expect(machine.deadline == start + .seconds(110))
    }

    @Test func aProgramThatEndsIsStartedAgainLaterAndLater() {
        var machine = running()
        let ended = machine.ended(.status(3), now: start, random: 0.5)
        #expect(
            ended
                == CommandMachine.Actions(
                    availability: .unavailable(.providerDown), notice: .commandEnded(name: "tool", .status(3))))
        #expect(machine.deadline == start + .milliseconds(500))
        #expect(machine.timerFired(now: start) == CommandMachine.Actions())
        #expect(machine.timerFired(now: start + .milliseconds(500)) == CommandMachine.Actions(command: .start))
        _ = machine.started(now: start)
        // The same end again is no news.
        #expect(machine.ended(.status(3), now: start, random: 0.5).notice == nil)
        #expect(machine.deadline == start + .seconds(1))
        _ = machine.started(now: start)
        #expect(machine.ended(.signal(9), now: start, random: 0.5).notice == .commandEnded(name: "tool", .signal(9)))
        #expect(machine.deadline == start + .seconds(2))
        // One that ran for long begins anew.
        _ = machine.started(now: start)
        _ = machine.ended(.status(0), now: start + .seconds(60), random: 0.5)
        #expect(machine.deadline == start + .seconds(60.5))
    }

    @Test func aProgramThatCannotBeStartedIsToldOnceAndTriedAgain() {
        var machine = CommandMachine(settings: settings)
        _ = machine.start(now: start)
        #expect(
            machine.startFailed(errno: 2, now: start, random: 0.5)
                == CommandMachine.Actions(
                    availability: .unavailable(.providerDown), notice: .commandFailed(name: "tool", errno: 2)))
        #expect(machine.startFailed(errno: 2, now: start, random: 0.5).notice == nil)
        #expect(machine.deadline == start + .seconds(1))
    }

    @Test func stoppedItEndsAndWhatComesLaterIsNothing() {
        var machine = running()
        #expect(machine.stop() == CommandMachine.Actions(command: .end))
        #expect(machine.stop() == CommandMachine.Actions())
        #expect(read("{\"lat\":54.5,\"lon\":3.5}", by: &machine) == CommandMachine.Actions())
        #expect(machine.ended(.signal(15), now: start, random: 0.5) == CommandMachine.Actions())
        #expect(complain("late", to: &machine) == nil)
        #expect(machine.deadline == nil)
        #expect(machine.start(now: start) == CommandMachine.Actions(command: .start))
    }

    @Test func garbageIsCountedToldOnceAStartAndChangesNothing() {
        var machine = running()
        let before = machine.state
        #expect(read("hello", by: &machine) == CommandMachine.Actions(notice: .commandGarbage(name: "tool")))
        for line in ["", "{\"lat\":54.5", "{\"lat\":54.5}", "{}", "[1,2]", "{\"lat\":\"54.5\",\"lon\":3.5}"] {
            #expect(read(line, by: &machine) == CommandMachine.Actions())
        }
        #expect(machine.garbage == 7)
        #expect(machine.deadline == start + .seconds(10))
        #expect(machine.state != before)
    }

    @Test func standardErrorIsToldWithoutCoordinatesAndNotTooOften() {
        var machine = running()
        #expect(
            complain("at 54.50001,3.5 (54° 5430.1234N) try 3 of 10, code 1234 or 52520008\u{7}", to: &machine)
                == .commandSays(name: "tool", text: "at # (#° #N) try 3 of 10, code 1234 or # ", suppressed: 0))
        for _ in 0..<4 { #expect(complain("x", to: &machine, after: 1) != nil) }
        for _ in 0..<7 { #expect(complain("x", to: &machine, after: 2) == nil) }
        #expect(complain("y", to: &machine, after: 10) == .commandSays(name: "tool", text: "y", suppressed: 7))
        #expect(complain("y", to: &machine, after: 11) == nil)
        #expect(complain(String(repeating: "z", count: 999), to: &machine, after: 500).map { "\($0)".count } ?? 0 < 300)
        #expect(
            read("{\"error\":\"no modem at 54.5\"}", by: &machine, after: 501)
                == CommandMachine.Actions(
                    availability: .unavailable(.providerDown),
                    notice: .commandSays(name: "tool", text: "no modem at #", suppressed: 0)))
    }
}

@Suite struct CommandMessageTests {
    func read(_ text: String, utc: UTCInstant? = noon) throws(CommandMessage.Refusal) -> CommandMessage {
        let bytes = Array(text.utf8)
        return try CommandMessage.read(bytes.span, utc: utc, uere: 5)
    }

    func location(_ text: String) throws -> Location {
        guard case .fix(let location) = try read(text) else {
            Issue.record("no fix: \(text)")
            return Location(coordinate: Coordinate(latitude: 0, longitude: 0))
        }
        return location
    }

    @Test func aUsersOwnValuesTravelWithThePosition() throws {
        let own = #"{"ignition":true,"odometer":[1,2.5e3]}"#
        guard case .fix(let location) = try read(#"{"ext":\#(own),"lat":54.5,"lon":3.5}"#) else {
            Issue.record("no position")
            return
        }
        #expect(location.passedValues == PassedValues(json: Array(own.utf8)))
        #expect(throws: CommandMessage.Refusal.self) { try read(#"{"ext":[1],"lat":54.5,"lon":3.5}"#) }
        let long = String(repeating: "x", count: PassedValues.limit)
        #expect(throws: CommandMessage.Refusal.self) { try read(#"{"ext":{"a":"\#(long)"},"lat":54.5,"lon":3.5}"#) }
    }

    @Test func theKeysAreTheWires() throws {
        var expected = Location(
            coordinate: Coordinate(latitude: 52.5200081, longitude: 13.4049543), horizontalAccuracy: 3.2,
            timestamp: noon + 0.2)
        (expected.altitude, expected.altitudeReference, expected.verticalAccuracy) = (34.5, .wgs84Ellipsoid, 5.1)
        (expected.speed, expected.speedAccuracy, expected.course, expected.courseAccuracy) = (13.9, 0.3, 271.3, 2.1)
        (expected.fix, expected.satellitesUsed, expected.hdop, expected.source) = (.threeD, 11, 0.9, "command")
        expected.isSimulated = true
        expected.passedValues = PassedValues(json: Array(#"{"a":[1]}"#.utf8))
        #expect(
            try location(
                #"{"v":1,"time":"2026-11-30T12:00:00.200Z","lat":52.5200081,"lon":13.4049543,"hacc":3.2,"alt":34.5,"altRef":"ellipsoid","vacc":5.1,"speed":13.9,"sacc":0.3,"course":271.3,"cacc":2.1,"fix":"3d","sats":11,"hdop":0.9,"sim":true,"ext":{"a":[1]}}"#
            ) == expected)
    }

    @Test func whatIsAbsentNullOrNegativeIsUnknown() throws {
        for text in [
            #"{"lat":1,"lon":2}"#,
            #"{"lat":1,"lon":2,"hacc":null,"alt":null,"speed":null,"course":null,"time":null,"fix":null}"#,
            #"{"lat":1,"lon":2,"hacc":-1,"alt":5,"vacc":-1,"speed":-1,"course":-1,"hdop":0}"#,
            #"{"lat":1,"lon":2,"speed":5,"sacc":-1,"course":6,"cacc":-1,"alt":7,"vacc":0}"#,
        ] {
            var expected = Location(coordinate: Coordinate(latitude: 1, longitude: 2), timestamp: noon)
            expected.source = "command"
            #expect(try location(text) == expected, "\(text)")
        }
        let zero = try location(#"{"lat":0,"lon":0,"speed":0,"course":360,"hacc":0,"alt":0}"#)
        #expect(zero.speed == 0 && zero.course == 0 && zero.horizontalAccuracy == 0 && zero.altitude == 0)
        #expect(try location(#"{"lat":1,"lon":2,"hdop":1.5}"#).horizontalAccuracy == 7.5)
    }

    @Test func anIncorrectCoordinateIsDeliveredAsItIs() throws {
        #expect(try !location(#"{"lat":91,"lon":181}"#).coordinate.isCorrect)
    }

    @Test func noFixAndErrors() throws {
        #expect(try read(#"{"fix":"none"}"#) == .noFix(nil))
        // Old coordinates do not make it one (G01).
        #expect(try read(#"{"fix":"none","lat":1,"lon":2,"time":"2026-11-30T12:00:00Z"}"#) == .noFix(noon))
        #expect(try read(#"{"error":"no modem"}"#) == .error("no modem"))
        #expect(
            try read(#"{"lat":1,"lon":2}"#, utc: nil)
                == .fix(
                    {
                        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2))
                        location.source = "command"
                        return location
                    }()))
    }

    @Test(arguments: [
        #"{"lat":"1","lon":2}"#, #"{"lat":1}"#, #"{"lon":1}"#, #"{"lat":1,"lon":2,"fix":"4d"}"#,
        #"{"lat":1,"lon":2,"altRef":"sea"}"#, #"{"lat":1,"lon":2,"time":"noon"}"#,
        #"{"lat":1,"lon":2,"time":1796040000}"#,
        #"{"lat":1,"lon":2,"course":361}"#, #"{"lat":1,"lon":2,"sats":2.5}"#, #"{"lat":1,"lon":2,"sats":-1}"#,
        #"{"lat":1,"lon":2,"sim":1}"#, #"{"lat":NaN,"lon":2}"#, #"{"lat":1e999,"lon":2}"#, #"{"lat":1,"lon":2"#,
        #"{"lat":1,"lon":2}}"#, "", "{}", "null", "54.5,3.5",
    ])
    func aLineIsRightAsAWholeOrRefused(line: String) {
        #expect(throws: CommandMessage.Refusal.self) { try read(line) }
    }
}
