import Positioning
import Reporting
import Testing

@Suite struct AvailabilityMachineTests {
    /// The machine with the clocks of ``Drive``.
    private struct Vehicle {
        var machine: AvailabilityMachine
        var isClockTrusted = true

        init(isClockTrusted: Bool = true) {
            self.isClockTrusted = isClockTrusted
            machine = AvailabilityMachine(now: Drive.mono(0), utc: isClockTrusted ? Drive.utc(0) : nil)
        }

        func utc(_ time: Double) -> UTCInstant? { isClockTrusted ? Drive.utc(time) : nil }
        mutating func provider(_ availability: Availability, at time: Double) -> AvailabilityReport? {
            machine.providerChanged(availability, now: Drive.mono(time), utc: utc(time))
        }
        mutating func fix(_ reasons: UnreliableReasons = [], at time: Double) -> AvailabilityReport? {
            machine.received(reasons, now: Drive.mono(time), utc: utc(time))
        }
        mutating func agent(_ agent: AvailabilityReport.Agent, at time: Double) -> AvailabilityReport? {
            machine.agentChanged(agent, now: Drive.mono(time), utc: utc(time))
        }
        mutating func link(_ isOnline: Bool, at time: Double) -> AvailabilityReport? {
            machine.linkChanged(isOnline: isOnline, now: Drive.mono(time), utc: utc(time))
        }
        mutating func deadline(at time: Double) -> AvailabilityReport? {
            machine.deadlinePassed(now: Drive.mono(time), utc: utc(time))
        }
        /// Online and available since second 1.
        static func driving() -> Vehicle {
            var vehicle = Vehicle()
            _ = vehicle.link(true, at: 0)
            _ = vehicle.provider(.available, at: 1)
            _ = vehicle.fix(at: 1)
            return vehicle
        }
    }

    private func report(
        _ availability: Availability, since: Double?, provider: AvailabilityReport.Provider = .open,
        fix: AvailabilityReport.Fix, agent: AvailabilityReport.Agent = .running
    ) -> AvailabilityReport {
        AvailabilityReport(
            availability: availability, since: since.map(Drive.utc), link: .online, agent: agent, provider: provider,
            fix: fix)
    }

    @Test func atFirstThereIsNoFix() {
        var vehicle = Vehicle()
        #expect(vehicle.machine.current.availability == .unavailable(.noFix))
        #expect(vehicle.machine.current.link == .lost)
        #expect(
            vehicle.link(true, at: 0) == report(.unavailable(.noFix), since: 0, provider: .opening, fix: .unknown))
        #expect(vehicle.link(true, at: 1) == nil)
        #expect(vehicle.machine.nextDeadline == nil)
    }

    @Test func theFirstReliableFixMakesItAvailableAtOnce() {
        var vehicle = Vehicle()
        _ = vehicle.link(true, at: 0)
        #expect(vehicle.provider(.available, at: 2) == report(.unavailable(.noFix), since: 0, fix: .unknown))
        #expect(vehicle.fix(at: 3) == report(.available, since: 3, fix: .ok))
        #expect(vehicle.fix(at: 4) == nil)
        #expect(vehicle.provider(.available, at: 5) == nil)
        #expect(vehicle.machine.nextDeadline == Drive.mono(34))
    }

    @Test func aLossOfFixIsToldAfterTheDelayWithTheTimeOfTheLoss() {
        var vehicle = Vehicle.driving()
        #expect(vehicle.provider(.unavailable(.noFix), at: 20) == nil)
        #expect(vehicle.machine.current == report(.available, since: 1, fix: .ok))
        #expect(vehicle.machine.nextDeadline == Drive.mono(30))
        #expect(vehicle.deadline(at: 29.999) == nil)
        #expect(vehicle.deadline(at: 30) == report(.unavailable(.noFix), since: 20, fix: .none))
        #expect(vehicle.deadline(at: 31) == nil)
        // Recovery at once: by the first fix, which the provider's word precedes.
        #expect(vehicle.provider(.available, at: 50) == report(.unavailable(.noFix), since: 20, fix: .unknown))
        #expect(vehicle.fix(at: 50) == report(.available, since: 50, fix: .ok))
    }

    @Test func aShortLossIsNotTold() {
        var vehicle = Vehicle.driving()
        #expect(vehicle.provider(.unavailable(.noFix), at: 20) == nil)
        #expect(vehicle.provider(.available, at: 25) == nil)
        #expect(vehicle.fix(at: 25) == nil)
        #expect(vehicle.deadline(at: 30) == nil)
        #expect(vehicle.machine.current == report(.available, since: 1, fix: .ok))
        // The next loss has a delay of its own.
        #expect(vehicle.provider(.unavailable(.noFix), at: 40) == nil)
        #expect(vehicle.deadline(at: 49) == nil)
        #expect(vehicle.deadline(at: 50)?.since == Drive.utc(40))
    }

    @Test(arguments: [
        (UnavailabilityReason.providerDown, AvailabilityReport.Provider.down), (.permissionDenied, .denied),
    ])
    func whatIsCertainIsToldAtOnce(reason: UnavailabilityReason, provider: AvailabilityReport.Provider) {
        var vehicle = Vehicle.driving()
        #expect(
            vehicle.provider(.unavailable(reason), at: 20)
                == report(.unavailable(reason), since: 20, provider: provider, fix: .unknown))
        #expect(vehicle.machine.nextDeadline == nil)
    }

    @Test func positionsWithoutAccuracySayNoAccuracy() {
        var vehicle = Vehicle()
        _ = vehicle.link(true, at: 0)
        _ = vehicle.provider(.available, at: 1)
        // Nothing was promised yet, so nothing is delayed.
        #expect(vehicle.fix(.accuracy, at: 1) == report(.unavailable(.noAccuracy), since: 1, fix: .noAccuracy))
        for second in 2..<100 { #expect(vehicle.fix(.accuracy, at: Double(second)) == nil) }
        // A short loss of fix does not forget it.
        _ = vehicle.provider(.unavailable(.noFix), at: 100)
        #expect(vehicle.provider(.available, at: 101)?.fix == .unknown)
        #expect(vehicle.fix(.accuracy, at: 101) == report(.unavailable(.noAccuracy), since: 101, fix: .noAccuracy))
        #expect(vehicle.fix(at: 102) == report(.available, since: 102, fix: .ok))
    }

    @Test func aMomentWithoutAccuracyIsNotTold() {
        var vehicle = Vehicle.driving()
        #expect(vehicle.fix(.accuracy, at: 20) == nil)
        #expect(vehicle.fix(.accuracy, at: 29) == nil)
        #expect(vehicle.fix(at: 29.5) == nil)
        #expect(vehicle.fix(.accuracy, at: 30) == nil)
        #expect(vehicle.fix(.accuracy, at: 39) == nil)
        #expect(vehicle.fix(.accuracy, at: 40) == report(.unavailable(.noAccuracy), since: 30, fix: .noAccuracy))
    }

    @Test func aProviderThatFallsSilentIsStaleSinceItsLastFix() {
        var vehicle = Vehicle.driving()
        #expect(vehicle.fix(at: 10) == nil)
        #expect(vehicle.machine.nextDeadline == Drive.mono(40))
        // Positions that cannot be are no sign of a fix.
        #expect(vehicle.fix(.coordinate, at: 39) == nil)
        #expect(vehicle.deadline(at: 39.9) == nil)
        #expect(vehicle.deadline(at: 40) == report(.unavailable(.stale), since: 10, fix: .stale))
        #expect(vehicle.machine.nextDeadline == nil)
        #expect(vehicle.fix(at: 45) == report(.available, since: 45, fix: .ok))
    }

    @Test func aProviderThatNeverDeliversIsStaleToo() {
        var vehicle = Vehicle()
        _ = vehicle.link(true, at: 0)
        _ = vehicle.provider(.available, at: 1)
        #expect(vehicle.machine.nextDeadline == Drive.mono(31))
        #expect(vehicle.deadline(at: 31) == report(.unavailable(.stale), since: 31, fix: .stale))
    }

    @Test("rule 05: positions while unavailable do not flip availability")
    func rule05PositionsWhileUnavailableDoNotFlipAvailability() {
        var vehicle = Vehicle.driving()
        _ = vehicle.provider(.unavailable(.noFix), at: 20)
        _ = vehicle.deadline(at: 30)
        #expect(vehicle.fix([], at: 31) == nil)
        #expect(vehicle.fix(.providerUnavailable, at: 32) == nil)
        #expect(vehicle.machine.current.availability == .unavailable(.noFix))
    }

    @Test func undatedFixesSayClock() {
        var vehicle = Vehicle(isClockTrusted: false)
        _ = vehicle.link(true, at: 0)
        _ = vehicle.provider(.available, at: 1)
        #expect(vehicle.fix(.clock, at: 1) == report(.unavailable(.clock), since: nil, fix: .unknown))
        // The instant is told as soon as a clock can.
        vehicle.isClockTrusted = true
        #expect(vehicle.fix(.clock, at: 9) == nil)
        #expect(vehicle.machine.current.since == Drive.utc(1))
    }

    @Test func theFirstBrokenLinkNamesTheReason() {
        var vehicle = Vehicle.driving()
        #expect(
            vehicle.agent(.private, at: 5) == report(.unavailable(.private), since: 5, fix: .ok, agent: .private))
        #expect(vehicle.machine.nextDeadline == nil)
        #expect(
            vehicle.provider(.unavailable(.providerDown), at: 6)
                == report(.unavailable(.private), since: 5, provider: .down, fix: .unknown, agent: .private))
        #expect(
            vehicle.agent(.running, at: 7)
                == report(.unavailable(.providerDown), since: 7, provider: .down, fix: .unknown))
        #expect(
            vehicle.provider(.unavailable(.noFix), at: 8) == report(.unavailable(.noFix), since: 8, fix: .none))
        #expect(
            vehicle.agent(.stopped, at: 9) == report(.unavailable(.stopped), since: 9, fix: .none, agent: .stopped))
    }

    @Test func whatWasKnownBeforeALongSleepIsNoAnswer() {
        var vehicle = Vehicle.driving()
        _ = vehicle.agent(.sleeping, at: 5)
        #expect(vehicle.agent(.running, at: 8) == report(.available, since: 8, fix: .ok))
        _ = vehicle.agent(.sleeping, at: 9)
        #expect(vehicle.agent(.running, at: 3600) == report(.unavailable(.noFix), since: 3600, fix: .unknown))
        #expect(vehicle.fix(at: 3601) == report(.available, since: 3601, fix: .ok))
    }

    @Test func stoppingDuringALossTellsTheStop() {
        var vehicle = Vehicle.driving()
        #expect(vehicle.provider(.unavailable(.noFix), at: 20) == nil)
        #expect(
            vehicle.agent(.stopped, at: 22) == report(.unavailable(.stopped), since: 22, fix: .none, agent: .stopped))
    }
}
