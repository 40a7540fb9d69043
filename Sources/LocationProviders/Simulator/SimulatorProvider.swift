public import Positioning

/// What the simulator drives.
public struct SimulatorSettings: Equatable, Sendable {
    /// The same seed makes the same drive.
    public var seed: UInt64
    /// Fixes per second, from 0.01 to 1000; what is outside is taken as the nearest.
    public var rate: Double

    public init(seed: UInt64 = 1, rate: Double = 1) {
        self.seed = seed
        self.rate = rate
    }
}

/// A made-up drive that never ends: the source that needs nothing. Each position says that it is simulated.
///
/// `@unchecked Sendable`: `slots`, `scheduler` and the settings never change and are Sendable themselves; everything
/// else is touched on the scheduler's context alone, by ``open()``, ``close()`` and ``tick()``.
public final class SimulatorProvider: LocationProvider, @unchecked Sendable {
    private let slots: CallbackSlots
    private let scheduler: any ProviderScheduler
    private let assumption: AccuracyAssumption
    private var simulation: DriveSimulation
    private var timer: (any ScheduledJob)?
    private var nextTick = MonotonicInstant(nanoseconds: 0)

    public init(
        scheduler: any ProviderScheduler, settings: SimulatorSettings = SimulatorSettings(),
        assumption: AccuracyAssumption = AccuracyAssumption()
    ) {
        self.scheduler = scheduler
        self.assumption = assumption
        slots = CallbackSlots(scheduler: scheduler)
        let rate = settings.rate.isFinite ? max(0.01, min(1000, settings.rate)) : 1
        simulation = DriveSimulation(seed: settings.seed, rate: rate)
    }

    public var lastLocation: Location? { slots.lastLocation }

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            isActive ? self?.open() : self?.close()
        }
    }

    /// Does nothing: the simulated receiver has one accuracy (rule 9).
    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {}

    private func open() {
        nextTick = scheduler.now
        tick()
    }

    private func close() {
        timer?.cancel()
        timer = nil
    }

    private func tick() {
        var fix = simulation.fix(at: scheduler.utcNow)
        simulation.advance()
        assumption.apply(to: &fix)
        // On a grid, so that the rate holds; after a suspension it goes on from now.
        let interval = Duration.seconds(simulation.interval)
        nextTick = max(nextTick + interval, scheduler.now)
        timer = scheduler.schedule(at: nextTick) { [weak self] in self?.tick() }
        slots.report(.available)
        slots.deliver(fix)
    }
}
