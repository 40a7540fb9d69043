import Positioning
import Reporting
import Testing

@Suite struct CheckTests {
    private func decision(_ location: Location, _ policy: ReportingPolicy = .standard) -> ReportingDecision {
        var machine = Drive.machine(policy)
        return machine.receive(location, at: 0)
    }

    private func place(_ latitude: Double, _ longitude: Double) -> Location {
        Location(
            coordinate: Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracy: 5,
            timestamp: Drive.epoch)
    }

    @Test(
        "G06: uninitialised coordinates are no place",
        arguments: [(0, 0), (0.0000004, 0), (-0.0, -0.0), (0.00009, -0.00009)])
    func g06UninitialisedCoordinatesAreNoPlace(latitude: Double, longitude: Double) {
        var machine = Drive.machine()
        let rejection = machine.receive(place(latitude, longitude), at: 0).rejection
        #expect(rejection?.rule == .nullIsland)
        #expect(rejection?.threshold == 1e-4)
        #expect(machine.newest == nil)
        #expect(machine.counters.rejected(by: .nullIsland) == 1)
        #expect(machine.counters.accepted == 0)
    }

    @Test(
        "G06: real places with a zero axis are accepted",
        arguments: [(0.0, 31.5), (51.5, 0.0), (0.0001, 0), (0, -0.0001), (-0.0, 180)])
    func g06RealPlacesWithAZeroAxisAreAccepted(latitude: Double, longitude: Double) throws {
        let draft = try #require(decision(place(latitude, longitude)).draft)
        #expect(draft.location.isReliable)
    }

    @Test("G06: the check can be switched off") func g06TheCheckCanBeSwitchedOff() {
        var policy = ReportingPolicy.standard
        policy.checks.rejectsNullIsland = false
        #expect(decision(place(0, 0), policy).draft?.location.isReliable == true)
    }

    /// Rule 3 wins over the case's "reject": flagged, or dropped where the policy says so; never a reliable position.
    @Test(
        "G06: out of range is unreliable",
        arguments: [(91.0, 0.0), (10.0, -181.0), (Double.nan, 13.0), (52.0, Double.infinity)])
    func g06OutOfRangeIsUnreliable(latitude: Double, longitude: Double) throws {
        let draft = try #require(decision(place(latitude, longitude)).draft)
        #expect(draft.location.unreliable == .coordinate)
        var policy = ReportingPolicy.standard
        policy.unreliable = .drop
        #expect(decision(place(latitude, longitude), policy).rejection?.rule == .unreliable)
    }

    @Test(
        "G07: an accuracy that says nothing is unreliable and published",
        arguments: [0, -1, Double.nan, nil, -0.0, .infinity, -.infinity])
    func g07AnAccuracyThatSaysNothingIsUnreliableAndPublished(accuracy: Double?) throws {
        var machine = Drive.machine()
        let draft = try #require(machine.receive(Drive.fix(at: 0, accuracy: accuracy), at: 0).draft)
        #expect(draft.location.unreliable == .accuracy)
        #expect(draft.trigger == .first)
        #expect(machine.counters.unreliable(for: .accuracy) == 1)
        #expect(machine.lastReliability == .accuracy)
    }

    @Test("G07: or dropped and counted by policy", arguments: [0, -1, Double.nan, nil, -0.0, .infinity, -.infinity])
    func g07OrDroppedAndCountedByPolicy(accuracy: Double?) {
        var policy = ReportingPolicy.standard
        policy.unreliable = .drop
        var machine = Drive.machine(policy)
        #expect(machine.receive(Drive.fix(at: 0, accuracy: accuracy), at: 0).rejection?.rule == .unreliable)
        #expect(machine.newest == nil)
        #expect(machine.counters.rejected(by: .unreliable) == 1)
        #expect(machine.counters.unreliable(for: .accuracy) == 1)
        #expect(machine.lastReliability == .accuracy)
        // It did not count as the newest: the same instant with an accuracy is welcome.
        #expect(machine.receive(Drive.fix(at: 0), at: 0).draft?.trigger == .first)
    }

    @Test("G07: a usable accuracy within the limit is accepted", arguments: [5, 100, 0.001])
    func g07AUsableAccuracyWithinTheLimitIsAccepted(accuracy: Double) {
        #expect(decision(Drive.fix(at: 0, accuracy: accuracy)).draft?.location.isReliable == true)
    }

    @Test("G07: beyond the limit is inaccurate", arguments: [2200, 100.001, Location.halfEquator])
    func g07BeyondTheLimitIsInaccurate(accuracy: Double) {
        let expected = Rejection(rule: .inaccurate, value: accuracy, threshold: 100)
        #expect(decision(Drive.fix(at: 0, accuracy: accuracy)) == .reject(expected))
    }

    @Test("rule 02: without a limit half the equator is reliable") func rule02WithoutALimitHalfTheEquatorIsReliable() {
        var policy = ReportingPolicy.standard
        policy.checks.maxAccuracy = nil
        #expect(
            decision(Drive.fix(at: 0, accuracy: Location.halfEquator), policy).draft?.location.isReliable == true)
    }

    @Test func whatTheProviderSaidStays() {
        var location = Drive.fix(at: 0)
        location.unreliable = .providerUnavailable
        location.fix = .none
        #expect(decision(location).draft?.location.unreliable == [.providerUnavailable, .noFix])
    }

    @Test func undatedFixesAreDatedByATrustedClockOnly() {
        var machine = Drive.machine(Drive.classic())
        let dated = machine.receive(Drive.fix(at: nil), at: 2).draft
        #expect(dated?.location.timestamp == Drive.utc(2))
        #expect(dated?.location.isReliable == true)
        #expect(dated?.uptime == nil)
        let undated = machine.receive(Drive.fix(at: nil), now: Drive.mono(7.5), utc: nil).draft
        #expect(undated?.location.timestamp == nil)
        #expect(undated?.location.unreliable == .clock)
        #expect(undated?.uptime == 7.5)
        // A clock from before this software existed was not set yet.
        let unset = machine.receive(Drive.fix(at: nil), now: Drive.mono(9), utc: UTCInstant(milliseconds: 9000)).draft
        #expect(unset?.location.unreliable == .clock)
        #expect(unset?.uptime == 9)
    }
}
