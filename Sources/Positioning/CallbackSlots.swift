internal import Synchronization

/// The two callback slots of a ``LocationProvider`` and the one serial path through them: SEMANTICS rules 4 to 8 and 10
/// in one place, shared by every provider.
///
/// Two locks: `state` is held for assignments only; `delivery` marks a delivery under way, so that `replace` called
/// from another thread can wait until the old closures are out of use. User code runs outside `state`, and inside a
/// callback nothing here waits.
public final class CallbackSlots: Sendable {
    private struct State {
        var location: LocationCallback?
        var availability: AvailabilityCallback?
        var generation: UInt64 = 0
        var announced: UInt64 = 0
        var isActive = false
        var owner: ObjectIdentifier?
        var current: Availability = .unknown
        var last: Location?
        var isDelivering = false
        var waiting: [ProviderEvent] = []

        /// A position that cannot be a place, or that its source does not believe, displaces none that is known.
        mutating func keep(_ location: Location) {
            let isPlace = location.coordinate.isCorrect && !location.unreliable.contains(.noFix)
            if isPlace || last == nil { last = location }
        }

        /// The availability callback that was not yet told anything.
        mutating func takeUnannounced() -> (AvailabilityCallback, Availability)? {
            guard let availability, announced != generation else { return nil }
            announced = generation
            return (availability, current)
        }
    }

    private let scheduler: any ProviderScheduler
    private let state = Mutex(State())
    private let delivery = Mutex(())

    public init(scheduler: any ProviderScheduler) { self.scheduler = scheduler }

    /// The best known position (rule 10).
    public var lastLocation: Location? { state.withLock { $0.last } }

    /// The availability as last reported.
    public var availability: Availability { state.withLock { $0.current } }

    /// Whether at least one callback is set (rule 7).
    public var isActive: Bool { state.withLock { $0.location != nil || $0.availability != nil } }

    /// Overwrites both slots; see ``LocationProvider/setCallbacks(locationCallback:availabilityCallback:)``.
    ///
    /// `activityChanged` is called on the scheduler with whether the source is to be open, when that changed.
    /// Availability is `unknown` again after the source was closed: whoever opens it reports anew.
    public func replace(
        location: LocationCallback?, availability: AvailabilityCallback?,
        activityChanged: @escaping @Sendable (Bool) -> Void
    ) {
        // The old closures are released outside the lock: what they capture may run code when it goes away.
        let request = CallbackOwnership.request
        let old = state.withLock { state -> (LocationCallback?, AvailabilityCallback?)? in
            if case .withdraw(let owner)? = request, state.owner != owner { return nil }
            let old = (state.location, state.availability)
            state.location = location
            state.availability = availability
            state.owner = if case .claim(let owner)? = request { owner } else { nil }
            state.generation += 1
            return old
        }
        guard let old else { return }
        if !scheduler.isCurrent { delivery.withLock { _ in } }
        withExtendedLifetime(old) {}
        scheduler.enqueue { [self] in settle(activityChanged) }
    }

    /// Delivers a position made by this provider, stamped with its reliability by rules 1 to 5. On the scheduler only.
    public func deliver(_ location: Location) {
        var stamped = location
        stamped.unreliable = location.unreliability(while: pendingAvailability)
        deliverAsMade(stamped)
    }

    /// Delivers every position of a batch in its order, so that the last becomes the current one (rule 12). On the
    /// scheduler only.
    public func deliver(_ batch: LocationBatch) {
        for location in batch.locations { deliver(location) }
    }

    /// Delivers a position that already carries its reliability (rule 19: a remote report). On the scheduler only.
    public func deliverAsMade(_ location: Location) { send(.location(location)) }

    /// Remembers a position for ``lastLocation`` without delivering it (a retained report). On the scheduler only.
    public func remember(_ location: Location) { state.withLock { $0.keep(location) } }

    /// Reports the availability; the same one twice is no event, and neither is what a closed source says. On the
    /// scheduler only.
    public func report(_ availability: Availability) {
        guard state.withLock({ $0.isActive }), pendingAvailability != availability else { return }
        send(.availability(availability))
    }

    /// The availability that a position delivered now follows, events still waiting included.
    private var pendingAvailability: Availability {
        state.withLock { state in
            for case .availability(let availability) in state.waiting.reversed() { return availability }
            return state.current
        }
    }

    private func settle(_ activityChanged: (Bool) -> Void) {
        let (active, changed) = state.withLock { state in
            let active = state.location != nil || state.availability != nil
            defer { state.isActive = active }
            return (active, active != state.isActive)
        }
        if changed {
            if !active { state.withLock { $0.current = .unknown } }
            activityChanged(active)
        }
        let isNews = state.withLock { $0.availability != nil && $0.announced != $0.generation }
        if isNews { send(.availability(availability)) }
    }

    /// One event after another: an event made inside a callback waits for it to return.
    private func send(_ event: ProviderEvent) {
        assert(scheduler.isCurrent, "a provider tells its events on its scheduler")
        let isNested = state.withLock { state in
            if state.isDelivering { state.waiting.append(event) }
            defer { state.isDelivering = true }
            return state.isDelivering
        }
        guard !isNested else { return }
        var next: ProviderEvent? = event
        while let event = next {
            delivery.withLock { _ in perform(event) }
            next = state.withLock { state in
                if state.waiting.isEmpty {
                    state.isDelivering = false
                    return nil
                }
                return state.waiting.removeFirst()
            }
        }
    }

    private func perform(_ event: ProviderEvent) {
        switch event {
        case .location(let location):
            var (callback, news) = state.withLock { state in
                state.keep(location)
                return (state.location, state.takeUnannounced())
            }
            if let (availabilityCallback, current) = news {
                // New callbacks hear first what their first position follows, and may be overwritten by that.
                availabilityCallback(current)
                callback = state.withLock { $0.location }
            }
            callback?(location)
        case .availability(let availability):
            let callback = state.withLock { state in
                state.current = availability
                state.announced = state.generation
                return state.availability
            }
            callback?(availability)
        }
    }
}
