internal import FleetWire
internal import MessageTransport
public import Positioning
internal import Synchronization

/// Follows one phone that runs OwnTracks, with the interface of a local source.
///
/// Positions are delivered as they arrive, in the order of their times; what the broker kept from before is the
/// ``lastLocation`` only. Available from a position on until nothing came for the given time (`stale`), the client's
/// will arrives or this side has no broker (`linkLost`).
public final class OwnTracksLocationProvider: LocationProvider {
    private struct State {
        var machine: OwnTracksMachine
        var attachment: MessageRouter.Attachment?
        /// Counts openings: what was under way for an earlier one is dropped.
        var opening: UInt64 = 0
        var isOpen = false
        var timer: (any ScheduledJob)?
        var timerDeadline: MonotonicInstant?
    }

    /// The topic that the phone publishes on, for example `owntracks/anna/phone`.
    public let topic: String
    private let router: MessageRouter
    private let scheduler: any ProviderScheduler
    private let slots: CallbackSlots
    private let state: Mutex<State>
    private let notice: @Sendable (RemoteNotice) -> Void

    /// - Parameters:
    ///   - topic: what the phone publishes on; no wildcards.
    ///   - staleAfter: how long after a position the next one is waited for.
    ///   - router: brings the phone's messages.
    ///   - scheduler: where the callbacks are called.
    ///   - notice: told what could not be used; called on the scheduler.
    public init(
        topic: String, staleAfter: Duration, router: MessageRouter, scheduler: any ProviderScheduler,
        notice: @escaping @Sendable (RemoteNotice) -> Void = { _ in }
    ) {
        self.topic = topic
        self.router = router
        self.scheduler = scheduler
        self.notice = notice
        slots = CallbackSlots(scheduler: scheduler)
        state = Mutex(State(machine: OwnTracksMachine(staleAfter: staleAfter)))
    }

    deinit {
        let (attachment, timer) = state.withLock { ($0.attachment, $0.timer) }
        attachment?.cancel()
        timer?.cancel()
    }

    public var lastLocation: Location? { slots.lastLocation }

    /// Whether the phone is being followed.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            if isActive { self?.open() } else { self?.close() }
        }
    }

    /// Does nothing: the phone decides (rule 9).
    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {}

    private func open() {
        let opening = state.withLock { state in
            state.machine.reopen()
            state.isOpen = true
            state.opening += 1
            return state.opening
        }
        let attachment = router.attach([Subscription(topic)]) { [weak self] event in self?.enqueue(event, opening) }
        let mustCancel = state.withLock { state in
            guard state.isOpen, state.opening == opening else { return true }
            state.attachment = attachment
            return false
        }
        if mustCancel { attachment.cancel() }
    }

    private func close() {
        let (attachment, timer) = state.withLock { state in
            defer { (state.attachment, state.timer, state.timerDeadline) = (nil, nil, nil) }
            state.isOpen = false
            return (state.attachment, state.timer)
        }
        timer?.cancel()
        attachment?.cancel()
    }

    private func enqueue(_ event: TransportEvent, _ opening: UInt64) {
        // A transport on the scheduler's own context needs no detour; it is always there or never.
        if scheduler.isCurrent {
            take(event, opening)
        } else {
            scheduler.enqueue { [weak self] in self?.take(event, opening) }
        }
    }

    private func take(_ event: TransportEvent, _ opening: UInt64) {
        guard state.withLock({ $0.isOpen && $0.opening == opening }) else { return }
        switch event {
        case .connected: perform { $0.linkUp() }
        case .disconnected, .stopped: perform { $0.linkDown() }
        case .subscribed(let refused):
            guard let reason = refused[topic] else { return }
            perform { $0.subscriptionRefused() }
            notice(.subscriptionRefused(filter: topic, reason))
        case .message(let message) where message.topic == topic: take(message)
        case .message, .completed: break
        }
    }

    private func take(_ message: IncomingMessage) {
        // An empty payload is how a retained message is cleared.
        if message.payload.isEmpty { return }
        do throws(WireError) {
            let decoded = try OwnTracksJSON.decode(message.payload)
            if decoded == .encrypted { notice(.encrypted(topic: topic)) }
            let (now, utc) = (scheduler.now, scheduler.utcNow)
            perform { $0.receive(decoded, retained: message.retained, now: now, utc: utc) }
        } catch {
            notice(.malformed(topic: topic, error, excerpt: WireError.excerpt(message.payload)))
        }
    }

    private func perform(_ event: (inout OwnTracksMachine) -> OwnTracksMachine.Outcome) {
        let outcome = state.withLock { event(&$0.machine) }
        if let availability = outcome.availability { slots.report(availability) }
        switch outcome.position {
        case .news(let location): slots.deliver(location)
        case .lastKnown(let location): slots.remember(location)
        case nil: break
        }
        setTimer()
    }

    private func setTimer() {
        let (old, deadline) = state.withLock { state -> ((any ScheduledJob)?, MonotonicInstant?) in
            let deadline = state.isOpen ? state.machine.nextDeadline : nil
            guard deadline != state.timerDeadline else { return (nil, nil) }
            defer { (state.timer, state.timerDeadline) = (nil, deadline) }
            return (state.timer, deadline)
        }
        old?.cancel()
        guard let deadline else { return }
        let timer = scheduler.schedule(at: deadline) { [weak self] in self?.deadlinePassed(deadline) }
        state.withLock { $0.timer = timer }
    }

    private func deadlinePassed(_ deadline: MonotonicInstant) {
        let isCurrent = state.withLock { state in
            guard state.isOpen, state.timerDeadline == deadline else { return false }
            (state.timer, state.timerDeadline) = (nil, nil)
            return true
        }
        let now = scheduler.now
        if isCurrent { perform { $0.deadlinePassed(now: now) } }
    }
}
