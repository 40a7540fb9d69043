public import Positioning

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

    /// Reads the route, where the settings name one.
    public init(
        scheduler: any ProviderScheduler, settings: SimulatorSettings = SimulatorSettings(),
        assumption: AccuracyAssumption = AccuracyAssumption()
    ) throws(ReplayError) {
        self.scheduler = scheduler
        self.assumption = assumption
        slots = CallbackSlots(scheduler: scheduler)
        let rate = settings.rate.isFinite ? max(0.01, min(1000, settings.rate)) : 1
        simulation = DriveSimulation(
            route: try Self.route(settings), seed: settings.seed, rate: rate, noise: max(0, settings.noise),
            outages: settings.outages)
    }

    private static func route(_ settings: SimulatorSettings) throws(ReplayError) -> SimulatedRoute {
        guard let file = settings.route else { return settings.speed.map { SimulatedRoute.town(limit: $0) } ?? .town }
        return try RouteFile.read(file).route(
            speed: settings.speed ?? SimulatorSettings.usualSpeed, dwell: settings.stop.inSeconds)
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
        let fix = simulation.isInOutage ? nil : simulation.fix(at: scheduler.utcNow)
        simulation.advance()
        // On a grid, so that the rate holds; after a suspension it goes on from now.
        let interval = Duration.seconds(simulation.interval)
        nextTick = max(nextTick + interval, scheduler.now)
        timer = scheduler.schedule(at: nextTick) { [weak self] in self?.tick() }
        guard var fix else { return slots.report(.unavailable(.noFix)) }
        assumption.apply(to: &fix)
        slots.report(.available)
        slots.deliver(fix)
    }
}
