import FixcastTestKit
import FleetWire
import Positioning
import RemoteLocation
import Testing

@Suite struct RemoteVehicleMachineTests {
    typealias Machine = RemoteVehicleMachine
    typealias Outcome = RemoteVehicleMachine.Outcome

    private let vehicle = try! VehicleID("van")
    private let zero = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    private let utc = UTCInstant(milliseconds: 1_796_010_000_000)

    private func report(
        _ sequence: UInt64, boot: UInt64 = 1, instance: String = "a", due: Double? = nil, time: UTCInstant? = nil
    ) -> Report {
        Report(
            identity: ReportIdentity(instance: instance, boot: boot, sequence: sequence),
            draft: ReportDraft(
                location: Location(
                    coordinate: Coordinate(latitude: Double(sequence), longitude: 0), horizontalAccuracy: 5,
                    timestamp: time ?? utc), due: due))
    }

    private func says(
        _ availability: Availability, boot: UInt64 = 1, connection: UInt64 = 1, instance: String = "a",
        clockOffset: UTCInstant? = nil
    ) -> AvailabilityMessage {
        AvailabilityMessage(
            vehicle: vehicle, instance: instance, boot: boot, connection: connection,
            state: AvailabilityReport(availability: availability, link: .online, agent: .running),
            clockOffset: clockOffset)
    }

    private func will(boot: UInt64 = 1, connection: UInt64 = 1, instance: String = "a") -> AvailabilityMessage {
        .will(vehicle: vehicle, instance: instance, boot: boot, connection: connection)
    }

    /// A machine that is connected and was told that the vehicle is available.
    private func available() -> Machine {
        var machine = Machine(vehicle: vehicle)
        _ = machine.linkUp(now: zero)
        _ = machine.receive(says(.available), isRetained: true, now: zero)
        return machine
    }

    // MARK: Reports

    @Test("S03: late, repeated and reordered reports never move the vehicle back") func s03Reordered() {
        var machine = available()
        let outcomes = [1, 2, 5, 3, 4, 4, 5].map { machine.receive(report($0), .live, now: zero, utc: utc) }
        #expect(outcomes.compactMap(\.position) == [1, 2, 5].map { .news(report($0)) })
        #expect(outcomes.compactMap(\.refusal) == [.outdated, .outdated, .outdated, .duplicate])
    }

    @Test("S03: the same time with another position is ordered by sequence, and a restart of the counter by boot")
    func s03Restart() {
        var machine = available()
        _ = machine.receive(report(9), .live, now: zero, utc: utc)
        // A clock set back changes nothing in the order.
        let earlier = UTCInstant(milliseconds: utc.milliseconds - 1_000_000)
        let next = report(1, boot: 2, time: earlier)
        #expect(machine.receive(next, .live, now: zero, utc: utc).position == .news(next))
        #expect(machine.receive(report(10, boot: 1), .live, now: zero, utc: utc) == Outcome(refusal: .outdated))
    }

    @Test(
        "S03: whatever the order and the lane, the position ends at the newest report",
        arguments: 0..<20 as Range<UInt64>)
    func s03AnyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var machine = available()
        let reports = (1...30 as ClosedRange<UInt64>).flatMap { [report($0), report($0)] }.shuffled(using: &random)
        var told: [ReportIdentity] = []
        for report in reports {
            let lane = [Machine.Lane.live, .retained, .track].randomElement(using: &random)!
            switch machine.receive(report, lane, now: zero, utc: utc).position {
            case .news(let report), .lastKnown(let report): told.append(report.identity)
            case nil: break
            }
        }
        #expect(told.last?.sequence == 30)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.isBefore($1) == true })
    }

    @Test func aRetainedReportIsNoNews() {
        var machine = available()
        #expect(machine.receive(report(7), .retained, now: zero, utc: utc).position == .lastKnown(report(7)))
        #expect(machine.receive(report(7), .live, now: zero, utc: utc).refusal == .duplicate)
        #expect(machine.receive(report(8), .live, now: zero, utc: utc).position == .news(report(8)))
    }

    @Test func aBacklogIsNewsOnlyPastALiveReport() {
        var machine = available()
        #expect(machine.receive(report(1), .track, now: zero, utc: utc).position == .lastKnown(report(1)))
        _ = machine.receive(report(5), .live, now: zero, utc: utc)
        #expect(machine.receive(report(4), .track, now: zero, utc: utc).refusal == .outdated)
        #expect(machine.receive(report(6), .track, now: zero, utc: utc).position == .news(report(6)))
    }

    @Test("S02: a report from the future is refused and blocks no later one") func s02Future() {
        for ahead in [Duration.seconds(301), .seconds(400 * 86_400)] {
            for lane in [Machine.Lane.live, .retained, .track] {
                var machine = available()
                let wrong = report(1, time: utc + ahead)
                #expect(machine.receive(wrong, lane, now: zero, utc: utc) == Outcome(refusal: .fromFuture))
                #expect(machine.receive(report(2), .live, now: zero, utc: utc).position == .news(report(2)))
                // A clock that nobody trusts refuses nothing.
                var untrusting = available()
                #expect(untrusting.receive(wrong, lane, now: zero, utc: nil).position != nil)
            }
        }
        var machine = available()
        let slightlyAhead = report(1, time: utc + .seconds(30))
        #expect(machine.receive(slightlyAhead, .live, now: zero, utc: utc).position == .news(slightlyAhead))
    }

    @Test func aReportWithoutATimeIsDatedByTheOffset() {
        var machine = available()
        _ = machine.receive(says(.available, clockOffset: utc), isRetained: false, now: zero)
        var undated = report(1)
        undated.draft.location.timestamp = nil
        undated.draft.location.unreliable = .clock
        undated.draft.uptime = 12.5
        guard case .news(let told)? = machine.receive(undated, .live, now: zero, utc: nil).position else {
            Issue.record("no news")
            return
        }
        #expect(told.location.timestamp == utc + .milliseconds(12_500))
        #expect(told.location.unreliable == .clock)
        var ofAnotherBoot = undated
        ofAnotherBoot.identity.boot = 2
        #expect(machine.receive(ofAnotherBoot, .live, now: zero, utc: nil).position == .news(ofAnotherBoot))
    }

    // MARK: Instances

    @Test("M01: a late will of an earlier connection or boot is refused") func m01LateWill() {
        var machine = Machine(vehicle: vehicle)
        _ = machine.linkUp(now: zero)
        _ = machine.receive(says(.available, boot: 3, connection: 2), isRetained: false, now: zero)
        for late in [will(boot: 3, connection: 1), will(boot: 2, connection: 9)] {
            #expect(machine.receive(late, isRetained: false, now: zero) == Outcome(refusal: .outdated))
        }
        #expect(machine.availability == .available)
        let own = machine.receive(will(boot: 3, connection: 2), isRetained: false, now: zero)
        #expect(own == Outcome(availability: .unavailable(.linkLost)))
        #expect(
            machine.receive(says(.available, boot: 3, connection: 3), isRetained: false, now: zero).availability
                == .available)
    }

    @Test func onlyABirthIntroducesAnInstance() {
        var machine = available()
        _ = machine.receive(report(5), .live, now: zero, utc: utc)
        #expect(machine.receive(report(9, boot: 9, instance: "b"), .live, now: zero, utc: utc).refusal == .foreign)
        #expect(machine.receive(will(boot: 9, instance: "b"), isRetained: false, now: zero).refusal == .foreign)
        #expect(
            machine.receive(says(.unavailable(.noFix), instance: "b"), isRetained: false, now: zero).availability
                == .unavailable(.noFix))
        // Now the earlier one's tail is refused, whatever its numbers.
        #expect(machine.receive(report(99, boot: 99), .live, now: zero, utc: utc).refusal == .foreign)
        #expect(machine.receive(report(99), .track, now: zero, utc: utc).refusal == .foreign)
        #expect(machine.receive(will(), isRetained: false, now: zero).refusal == .foreign)
        #expect(machine.receive(says(.available), isRetained: false, now: zero).refusal == .foreign)
        #expect(machine.availability == .unavailable(.noFix))
        #expect(
            machine.receive(report(1, instance: "b"), .live, now: zero, utc: utc).position
                == .news(report(1, instance: "b")))
        // A gateway that is swapped back in says so with a boot of its own.
        #expect(machine.receive(says(.available, boot: 2), isRetained: false, now: zero).availability == .available)
        #expect(machine.receive(report(1, boot: 2), .live, now: zero, utc: utc).position == .news(report(1, boot: 2)))
    }

    @Test func aMessageOfAnotherVehicleIsForeign() {
        var machine = available()
        var message = says(.unavailable(.stopped))
        message.vehicle = try! VehicleID("other")
        #expect(machine.receive(message, isRetained: true, now: zero) == Outcome(refusal: .foreign))
    }

    @Test func reportsComeBeforeAnyWordOfTheVehicle() {
        var machine = Machine(vehicle: vehicle)
        _ = machine.linkUp(now: zero)
        #expect(
            machine.receive(report(3, instance: "old"), .retained, now: zero, utc: utc).position
                == .lastKnown(report(3, instance: "old")))
        #expect(machine.receive(report(1), .live, now: zero, utc: utc).position == .news(report(1)))
        #expect(machine.receive(report(4, instance: "old"), .live, now: zero, utc: utc).refusal == .foreign)
        #expect(machine.availability == .unknown)
    }

    @Test func manyInstancesAreForgottenInOrder() {
        var machine = available()
        for index in 0..<100 {
            let birth = says(.available, instance: "i\(index)")
            #expect(machine.receive(birth, isRetained: false, now: zero).refusal == nil)
        }
        #expect(machine.receive(says(.available, instance: "i98"), isRetained: false, now: zero).refusal == .foreign)
    }

    // MARK: Availability and staleness

    @Test func theOwnLinkCoversWhatTheVehicleSaid() {
        var machine = available()
        #expect(machine.linkDown(now: zero).availability == .unavailable(.linkLost))
        #expect(machine.linkDown(now: zero).availability == nil)
        // Connected again, but nothing is known until the vehicle's word is heard again.
        #expect(machine.linkUp(now: zero).availability == nil)
        #expect(
            machine.receive(says(.unavailable(.stopped)), isRetained: true, now: zero).availability
                == .unavailable(.stopped))
    }

    @Test func aLiveReportEndsTheWaitAfterTheLinkCameBack() {
        var machine = available()
        _ = machine.linkDown(now: zero)
        _ = machine.linkUp(now: zero)
        #expect(machine.receive(report(1), .retained, now: zero, utc: utc).availability == nil)
        #expect(machine.receive(report(2), .live, now: zero, utc: utc).availability == .available)
    }

    @Test func aFirstFailureToConnectIsALostLink() {
        var machine = Machine(vehicle: vehicle)
        #expect(machine.linkDown(now: zero).availability == .unavailable(.linkLost))
    }

    @Test func aRefusedSubscriptionIsADeniedPermission() {
        var machine = Machine(vehicle: vehicle)
        #expect(machine.linkUp(now: zero).availability == nil)
        #expect(machine.subscriptionRefused(now: zero).availability == .unavailable(.permissionDenied))
    }

    @Test func staleExactlyWhenTheNextReportIsOverdue() {
        var machine = available()
        _ = machine.receive(report(1, due: 75), .live, now: zero, utc: utc)
        let deadline = zero + .seconds(75)
        #expect(machine.nextDeadline == deadline)
        #expect(machine.deadlinePassed(now: MonotonicInstant(nanoseconds: deadline.nanoseconds - 1)) == Outcome())
        #expect(machine.deadlinePassed(now: deadline) == Outcome(availability: .unavailable(.stale)))
        #expect(machine.nextDeadline == nil)
        let next = machine.receive(report(2, due: 75), .live, now: deadline + .seconds(5), utc: utc)
        #expect(next == Outcome(availability: .available, position: .news(report(2, due: 75))))
        // A report that promises nothing is never overdue.
        _ = machine.receive(report(3), .live, now: deadline + .seconds(6), utc: utc)
        #expect(machine.nextDeadline == nil)
    }

    @Test func aRetainedReportIsOverdueByItsOwnTime() {
        var machine = available()
        let old = report(1, due: 75, time: UTCInstant(milliseconds: utc.milliseconds - 60_000))
        _ = machine.receive(old, .retained, now: zero, utc: utc)
        #expect(machine.nextDeadline == zero + .seconds(15))
        var late = available()
        let veryOld = report(1, due: 75, time: UTCInstant(milliseconds: utc.milliseconds - 76_000))
        #expect(
            late.receive(veryOld, .retained, now: zero, utc: utc)
                == Outcome(availability: .unavailable(.stale), position: .lastKnown(veryOld)))
        // Without a trusted clock of its own a receiver can only count from arrival.
        var clockless = available()
        _ = clockless.receive(veryOld, .retained, now: zero, utc: nil)
        #expect(clockless.nextDeadline == zero + .seconds(75))
    }

    @Test func theVehiclesClockIsMappedByTheSmallestDelay() {
        var machine = available()
        // The vehicle's clock is 100 s behind; one of its messages took 3 s.
        for (index, delay) in [103, 100, 101].enumerated() {
            let time = UTCInstant(milliseconds: utc.milliseconds - Int64(delay) * 1000)
            _ = machine.receive(report(UInt64(index) + 1, due: 75, time: time), .live, now: zero, utc: utc)
        }
        let time = UTCInstant(milliseconds: utc.milliseconds - 110_000)
        _ = machine.receive(report(9, due: 75, time: time), .retained, now: zero, utc: utc)
        #expect(machine.nextDeadline == zero + .seconds(65))
    }

    @Test(arguments: [UnavailabilityReason.noFix, .sleeping, .private, .stopped, .linkLost, .providerDown, .noAccuracy])
    func nothingIsStaleWhileTheVehicleSaidWhyItIsSilent(reason: UnavailabilityReason) {
        var machine = available()
        _ = machine.receive(report(1, due: 10), .live, now: zero, utc: utc)
        _ = machine.receive(says(.unavailable(reason)), isRetained: false, now: zero)
        #expect(machine.nextDeadline == nil)
        #expect(machine.deadlinePassed(now: zero + .seconds(3600)) == Outcome())
        // Its return gives it the least slack for the next report.
        let back = machine.receive(says(.available), isRetained: false, now: zero + .seconds(3600))
        #expect(back.availability == .available)
        #expect(machine.deadlinePassed(now: zero + .seconds(3615)).availability == .unavailable(.stale))
    }

    @Test func aRetainedAvailabilityDoesNotReviveASilentVehicle() {
        var machine = available()
        _ = machine.receive(report(1, due: 10), .live, now: zero, utc: utc)
        _ = machine.linkDown(now: zero + .seconds(5))
        _ = machine.linkUp(now: zero + .seconds(60))
        let outcome = machine.receive(says(.available), isRetained: true, now: zero + .seconds(60))
        #expect(outcome.availability == .unavailable(.stale))
    }

    @Test func reopeningKeepsTheOrderAndForgetsTheAvailability() {
        var machine = available()
        _ = machine.receive(report(5), .live, now: zero, utc: utc)
        machine.reopen()
        #expect(machine.availability == .unknown)
        _ = machine.linkUp(now: zero)
        #expect(machine.receive(says(.available), isRetained: true, now: zero).availability == .available)
        #expect(machine.receive(report(5), .retained, now: zero, utc: utc).refusal == .duplicate)
        #expect(machine.receive(report(4), .live, now: zero, utc: utc).refusal == .outdated)
    }

    @Test func absurdPromisesDoNotOverflow() {
        for due in [1e9, 1e300, .infinity, .nan, -1, 0] {
            var machine = available()
            _ = machine.receive(report(1, due: due), .live, now: zero, utc: utc)
            _ = machine.receive(
                report(2, due: due, time: UTCInstant(milliseconds: .min)), .retained, now: zero, utc: utc)
            _ = machine.deadlinePassed(now: zero + .seconds(1))
        }
    }
}
