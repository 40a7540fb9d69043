internal import Positioning

/// Several providers in order of preference, as one: see ``FirstOfMachine``. Each position names the source it is from.
///
/// `@unchecked Sendable`: `slots`, `scheduler`, `sources` and the settings never change and are Sendable themselves;
/// everything else is touched on the scheduler's context alone, where the sources, which share it, call back.
final class FirstOfProvider: PausableLocationProvider, @unchecked Sendable {
    /// One source, with the name that its positions carry.
    struct Source: Sendable {
        var name: String
        var provider: any LocationProvider
    }

    private let slots: CallbackSlots
    private let scheduler: any ProviderScheduler
    private let sources: [Source]
    private let chosen: @Sendable (String) -> Void
    private var machine: FirstOfMachine
    private var timer: (any ScheduledJob)?
    private var timerDeadline: MonotonicInstant?

    /// - Parameters:
    ///   - scheduler: the one that all sources live on.
    ///   - silence: how long after its last reliable position a source is given up for the next.
    ///   - proof: how long a source that was lost must be good again before it is returned to.
    ///   - chosen: told the name of the source whose positions are passed on from now on.
    init(
        scheduler: any ProviderScheduler, sources: [Source], silence: Duration, proof: Duration,
        chosen: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.scheduler = scheduler
        self.sources = sources
        self.chosen = chosen
        slots = CallbackSlots(scheduler: scheduler)
        machine = FirstOfMachine(count: sources.count, silence: silence, proof: proof)
    }

    /// The best known of what was passed on; before that, of the most preferred source that knows one.
    var lastLocation: Location? {
        slots.lastLocation ?? sources.lazy.compactMap { $0.provider.lastLocation }.first
    }

    var isPacedByConsumer: Bool { pausable.contains { $0.isPacedByConsumer } }

    private var pausable: [any PausableLocationProvider] {
        sources.compactMap { $0.provider as? any PausableLocationProvider }
    }

    func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            isActive ? self?.open() : self?.close()
        }
    }

    func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {
        for source in sources { source.provider.setDesiredAccuracy(accuracy) }
    }

    func setPaused(_ paused: Bool) { for provider in pausable { provider.setPaused(paused) } }

    private func open() {
        machine.reset()
        for (index, source) in sources.enumerated() {
            source.provider.setCallbacks(
                locationCallback: { [weak self] in self?.received($0, from: index) },
                availabilityCallback: { [weak self] in self?.changed($0, of: index) })
        }
    }

    private func close() {
        timer?.cancel()
        (timer, timerDeadline) = (nil, nil)
        for source in sources { source.provider.setCallbacks(locationCallback: nil, availabilityCallback: nil) }
    }

    private func received(_ location: Location, from index: Int) {
        let actions = machine.received(index, isReliable: location.isReliable, now: scheduler.now)
        perform(actions)
        guard actions.delivers else { return }
        var named = location
        named.source = sources[index].name
        // As its own provider judged it: a remote vehicle's position brings its reliability along.
        slots.deliverAsMade(named)
    }

    private func changed(_ availability: Availability, of index: Int) {
        perform(machine.availabilityChanged(index, availability, now: scheduler.now))
    }

    private func perform(_ actions: FirstOfMachine.Actions) {
        if let index = actions.chosen { chosen(sources[index].name) }
        if let availability = actions.availability { slots.report(availability) }
        let deadline = machine.nextDeadline
        guard slots.isActive, let deadline else { return }
        // An earlier timer stays and looks again when it fires.
        if let timerDeadline, timerDeadline <= deadline { return }
        timer?.cancel()
        timerDeadline = deadline
        timer = scheduler.schedule(at: deadline) { [weak self] in self?.deadlinePassed() }
    }

    private func deadlinePassed() {
        (timer, timerDeadline) = (nil, nil)
        perform(machine.deadlinePassed(now: scheduler.now))
    }
}
