public import Positioning
internal import Synchronization

/// Writes down what a provider tells, in order, and what it tells after it must not any more.
public final class EventRecorder: Sendable {
    private struct State {
        var events: [ProviderEvent] = []
        var isRetired = false
        var lateEvents: [ProviderEvent] = []
    }

    private let state = Mutex(State())
    private let reaction: @Sendable (ProviderEvent) -> Void

    /// - Parameter reaction: called for each event after it was written down, inside the provider's callback.
    public init(reaction: @escaping @Sendable (ProviderEvent) -> Void = { _ in }) { self.reaction = reaction }

    /// To be set as a provider's callback.
    public var locationCallback: LocationCallback { { [self] in record(.location($0)) } }

    /// To be set as a provider's callback.
    public var availabilityCallback: AvailabilityCallback { { [self] in record(.availability($0)) } }

    /// What was told, first to last, since the last ``reset()``.
    public var events: [ProviderEvent] { state.withLock { $0.events } }

    /// The positions among ``events``.
    public var locations: [Location] {
        events.compactMap { if case .location(let location) = $0 { location } else { nil } }
    }

    /// The availabilities among ``events``.
    public var availabilities: [Availability] {
        events.compactMap { if case .availability(let availability) = $0 { availability } else { nil } }
    }

    /// What was told after ``retire()``: anything is a fault.
    public var lateEvents: [ProviderEvent] { state.withLock { $0.lateEvents } }

    /// Forgets what was told so far.
    public func reset() { state.withLock { $0.events = [] } }

    /// From now on nothing may be told any more.
    public func retire() { state.withLock { $0.isRetired = true } }

    private func record(_ event: ProviderEvent) {
        state.withLock { state in
            state.events.append(event)
            if state.isRetired { state.lateEvents.append(event) }
        }
        reaction(event)
    }
}
