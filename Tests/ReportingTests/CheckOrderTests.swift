import Positioning
import Reporting
import Testing

/// All checks together.
@Suite struct CheckOrderTests {
    @Test func eachRuleIsCountedAndTheOrderIsTheDocumentedOne() {
        #expect(
            RejectionRule.allCases.map(\.rawValue) == [
                "duplicate", "outOfOrder", "date", "future", "stale", "nullIsland", "inaccurate", "warmUp", "speed",
                "jump", "frozen", "unreliable",
            ])
        // A fix with everything wrong falls to one rule after the other as each is put right.
        var policy = Drive.classic(min: 0)
        policy.checks.warmUp = .seconds(5)
        var machine = Drive.machine(policy)
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        _ = machine.receive(Drive.fix(at: 6), at: 6)
        var fix = Drive.fix(at: 6, north: 0, east: 0, speed: 100)
        fix.coordinate = Coordinate(latitude: 0, longitude: 0)
        fix.horizontalAccuracy = 500
        func rule() -> RejectionRule? { machine.receive(fix, at: 7).rejection?.rule }
        #expect(rule() == .duplicate)
        fix.timestamp = Drive.utc(5)
        #expect(rule() == .outOfOrder)
        fix.timestamp = Drive.utc(60_000)
        #expect(rule() == .future)
        fix.timestamp = Drive.utc(7)
        #expect(rule() == .nullIsland)
        fix.coordinate = Drive.place(north: 40_000, east: 0)
        #expect(rule() == .inaccurate)
        fix.horizontalAccuracy = 5
        #expect(rule() == .speed)
        fix.speed = 10
        #expect(rule() == .jump)
        fix.coordinate = Drive.place(north: 10, east: 0)
        #expect(rule() == nil)
    }

    /// Whatever was rejected before, the good drive is judged as if it had not come.
    @Test func rejectedFixesChangeNothing() {
        var disturbed = Drive.machine()
        var clean = Drive.machine()
        for second in 0..<200 {
            let time = Double(second)
            let fix = Drive.fix(at: time, north: time * 12, east: 40 * Double(second / 30), speed: 12, course: 0)
            #expect(disturbed.receive(fix, at: time) == clean.receive(fix, at: time))
            var bad = Drive.fix(at: time + 0.5, north: time * 12 + 20_000, east: 0, speed: 3)
            if second % 5 == 1 { bad.coordinate = Coordinate(latitude: 0, longitude: 0) }
            if second % 5 == 2 { bad.horizontalAccuracy = 900 }
            if second % 5 == 3 { bad.speed = 400 }
            if second % 5 == 4 { bad.timestamp = Drive.utc(time - 3) }
            #expect(disturbed.receive(bad, at: time + 0.5).rejection != nil)
            #expect(disturbed.nextDeadline == clean.nextDeadline && disturbed.motion == clean.motion)
            #expect(disturbed.prediction == clean.prediction)
        }
    }
}
