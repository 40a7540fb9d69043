import Positioning
import Reporting
import Testing

@Suite struct ReportingMachineTests {
    private func policy(min: Double = 1, max: Double = 60, distance: Double = 0) -> ReportingPolicy {
        Drive.classic(min: min, max: max, distance: distance)
    }

    @Test func theFirstFixIsSentWhole() {
        var machine = Drive.machine(policy())
        #expect(machine.nextDeadline == nil)
        #expect(machine.draftForReconnect(now: Drive.mono(0)) == nil)
        let location = Drive.fix(at: 0)
        #expect(
            machine.receive(location, at: 0)
                == .send(ReportDraft(location: location, trigger: .first, due: 75)))
        #expect(machine.nextDeadline == nil)
        #expect(machine.newest == location)
    }

    @Test func withoutADistanceEachFixAfterTheMinimumIsSent() {
        var machine = Drive.machine(policy(min: 1))
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        #expect(machine.receive(Drive.fix(at: 0.5), at: 0.5) == .hold)
        #expect(machine.nextDeadline == Drive.mono(1))
        #expect(machine.receive(Drive.fix(at: 0.9), at: 0.9) == .hold)
        #expect(machine.deadlinePassed(at: 0.95) == nil)
        #expect(
            machine.receive(Drive.fix(at: 1), at: 1)
                == .send(ReportDraft(location: Drive.fix(at: 1), trigger: .interval, due: 75)))
        #expect(machine.nextDeadline == nil)
        #expect(machine.counters.accepted == 4)
        #expect(machine.counters.sent == 2)
    }

    @Test func aFixThatComesAMomentEarlyIsSentWhenTheIntervalHasPassed() {
        var machine = Drive.machine(policy(min: 1))
        _ = machine.receive(Drive.fix(at: 0), at: 0.010)
        #expect(machine.receive(Drive.fix(at: 1), at: 1.002) == .hold)
        #expect(machine.nextDeadline == Drive.mono(1.010))
        #expect(
            machine.deadlinePassed(at: 1.010)
                == ReportDraft(location: Drive.fix(at: 1), trigger: .interval, due: 75))
        #expect(machine.deadlinePassed(at: 1.5) == nil)
    }

    @Test func withADistanceOnlyMovementAndTheHeartbeatAreSent() {
        var machine = Drive.machine(policy(max: 10, distance: 100))
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        #expect(machine.receive(Drive.fix(at: 2, metres: 99.9), at: 2) == .hold)
        #expect(
            machine.receive(Drive.fix(at: 3, metres: 100.1), at: 3)
                == .send(ReportDraft(location: Drive.fix(at: 3, metres: 100.1), trigger: .distance, due: 25)))
        // Never more often than the minimum, however far.
        #expect(machine.receive(Drive.fix(at: 3.5, metres: 130), at: 3.5) == .hold)
        #expect(machine.receive(Drive.fix(at: 5, metres: 110), at: 5) == .hold)
        #expect(machine.nextDeadline == Drive.mono(13))
        #expect(
            machine.deadlinePassed(at: 13)
                == ReportDraft(location: Drive.fix(at: 5, metres: 110), trigger: .interval, due: 25))
        #expect(machine.nextDeadline == nil)
        // Silence is not filled with old positions; the next fix after it is sent at once.
        #expect(machine.deadlinePassed(at: 40) == nil)
        #expect(machine.receive(Drive.fix(at: 41, metres: 400), at: 41).draft?.trigger == .interval)
    }

    /// The stop itself is what the receivers must end with, whatever the filter.
    @Test("R01: the last point before a stop is not lost", arguments: [100.0, 50, 1000], [10.0, 30])
    func r01TheLastPointBeforeAStopIsNotLost(distance: Double, interval: Double) throws {
        var machine = Drive.machine(policy(max: interval, distance: distance))
        var published: [ReportDraft] = []
        for second in 0..<120 {
            let time = Double(second)
            if let deadline = machine.nextDeadline, deadline <= Drive.mono(time),
                let draft = machine.deadlinePassed(at: time)
            {
                published.append(draft)
            }
            guard second < 80 else { continue }
            var location = Drive.fix(at: time, metres: min(time * 10, 440))
            location.speed = second < 44 ? 10 : 0
            if let draft = machine.receive(location, at: time).draft { published.append(draft) }
        }
        let last = try #require(published.last)
        #expect(last.location.speed == 0)
        #expect(abs(Geodesy.distance(last.location.coordinate, Drive.fix(at: 0, metres: 440).coordinate)) < 0.01)
        #expect(last.location.timestamp ?? Drive.epoch >= Drive.utc(44))
    }

    /// The source falls silent right after a suppressed point.
    @Test("R01: a suppressed point is sent though nothing follows") func r01ASuppressedPointIsSentThoughNothingFollows()
    {
        var machine = Drive.machine(policy(max: 10, distance: 100))
        for second in 0...4 {
            _ = machine.receive(Drive.fix(at: Double(second), metres: 10 * Double(second)), at: Double(second))
        }
        #expect(machine.nextDeadline == Drive.mono(10))
        #expect(machine.deadlinePassed(at: 10)?.location == Drive.fix(at: 4, metres: 40))
    }

    /// The wall clock steps; what is sent, and when, does not change.
    @Test("R02: steps of the wall clock change nothing", arguments: [-7200.0, 7200, -60, 30, 4e8])
    func r02StepsOfTheWallClockChangeNothing(step: Double) {
        func run(utc: (Double) -> UTCInstant?) -> [(Double, ReportDraft)] {
            var machine = Drive.machine(policy(min: 5, max: 20, distance: 30))
            var sent: [(Double, ReportDraft)] = []
            for second in 0..<300 {
                let time = Double(second)
                if let draft = machine.deadlinePassed(now: Drive.mono(time), utc: utc(time)) {
                    sent.append((time, draft))
                }
                let decision = machine.receive(
                    Drive.fix(at: time, metres: second < 150 ? time * 8 : 1200), now: Drive.mono(time), utc: utc(time))
                if let draft = decision.draft { sent.append((time, draft)) }
            }
            return sent
        }
        let steady = run { Drive.utc($0) }
        let stepped = run { Drive.utc($0 < 100 ? $0 : $0 + step) }
        let fromBoot = run { $0 < 20 ? UTCInstant(milliseconds: Int64($0) * 1000) : Drive.utc($0) }
        #expect(steady.count > 30)
        for other in [stepped, fromBoot] {
            #expect(other.map(\.0) == steady.map(\.0))
            #expect(other.map(\.1) == steady.map(\.1))
        }
    }

    @Test func aReliablePositionThatWaitsIsNotLostToUnreliableOnes() {
        var machine = Drive.machine(policy(min: 10))
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        #expect(machine.receive(Drive.fix(at: 8, metres: 80), at: 8) == .hold)
        #expect(machine.receive(Drive.fix(at: 9, metres: 90, accuracy: nil), at: 9) == .hold)
        // The reliable one goes first, then the flagged one.
        let first = machine.receive(Drive.fix(at: 10, metres: 100, accuracy: nil), at: 10).draft
        #expect(first == ReportDraft(location: Drive.fix(at: 8, metres: 80), trigger: .interval, due: 75))
        #expect(machine.nextDeadline == Drive.mono(20))
        let second = machine.deadlinePassed(at: 20)
        #expect(second?.location.timestamp == Drive.utc(10))
        #expect(second?.location.unreliable == .accuracy)
    }

    @Test func distanceIsMeasuredBetweenReliablePositions() {
        var machine = Drive.machine(policy(max: 600, distance: 100))
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        // Unreliable ones count from whatever was sent last.
        #expect(machine.receive(Drive.fix(at: 10, metres: 150, accuracy: nil), at: 10).draft?.trigger == .distance)
        #expect(machine.receive(Drive.fix(at: 20, metres: 200, accuracy: nil), at: 20) == .hold)
        // A reliable one counts from the last reliable one, so the retained position catches up.
        #expect(machine.receive(Drive.fix(at: 30, metres: 160), at: 30).draft?.trigger == .distance)
        // A place that cannot be moves nothing.
        var nowhere = Drive.fix(at: 40)
        nowhere.coordinate = Coordinate(latitude: 91, longitude: 0)
        #expect(machine.receive(nowhere, at: 40) == .hold)
    }

    @Test func theFirstReliablePositionIsSentThoughNothingMoved() {
        var machine = Drive.machine(policy(distance: 100))
        #expect(machine.receive(Drive.fix(at: 0, accuracy: nil), at: 0).draft?.trigger == .first)
        #expect(machine.receive(Drive.fix(at: 2), at: 2).draft?.trigger == .first)
        #expect(machine.receive(Drive.fix(at: 4), at: 4) == .hold)
    }

    @Test func reconnectingSendsTheNewestOnce() {
        var machine = Drive.machine(policy(distance: 100))
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        _ = machine.receive(Drive.fix(at: 5, metres: 20), at: 5)
        let expected = ReportDraft(location: Drive.fix(at: 5, metres: 20), trigger: .reconnect, due: 75)
        #expect(machine.draftForReconnect(now: Drive.mono(7)) == expected)
        #expect(machine.nextDeadline == nil)
        #expect(machine.receive(Drive.fix(at: 7.5, metres: 40), at: 7.5) == .hold)
        #expect(machine.draftForReconnect(now: Drive.mono(9))?.location == Drive.fix(at: 7.5, metres: 40))
    }

    @Test func reconnectingPrefersTheReliablePositionThatWaits() {
        var machine = Drive.machine(policy(min: 10))
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        _ = machine.receive(Drive.fix(at: 4, metres: 40), at: 4)
        _ = machine.receive(Drive.fix(at: 5, metres: 50, accuracy: nil), at: 5)
        #expect(machine.draftForReconnect(now: Drive.mono(6))?.location == Drive.fix(at: 4, metres: 40))
    }

    @Test(
        "rule 18: due is the heartbeat and its slack",
        arguments: [(60.0, 75.0), (300, 375), (1, 16), (10, 25), (3600, 4500)])
    func rule18DueIsTheHeartbeatAndItsSlack(interval: Double, due: Double) {
        #expect(policy(max: interval).moving.due == due)
        var machine = Drive.machine(policy(max: interval))
        #expect(machine.receive(Drive.fix(at: 0), at: 0).draft?.due == due)
    }

    @Test func aHeartbeatBelowTheMinimumIsTheMinimum() {
        var machine = Drive.machine(policy(min: 30, max: 10, distance: 5))
        _ = machine.receive(Drive.fix(at: 0), at: 0)
        #expect(machine.receive(Drive.fix(at: 12, metres: 50), at: 12) == .hold)
        #expect(machine.nextDeadline == Drive.mono(30))
        #expect(policy(min: 30, max: 10).moving.due == 45)
    }

    @Test func everyFixGoesOutWithoutAMinimum() {
        var machine = Drive.machine(policy(min: 0))
        for step in 0..<50 { #expect(machine.receive(Drive.fix(at: Double(step) / 20), at: 1).draft != nil) }
    }
}
