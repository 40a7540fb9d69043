public import FleetWire
internal import MessageTransport
public import Positioning
internal import Synchronization

/// Follows one vehicle over MQTT with the interface of a local source.
///
/// Positions carry the reliability that the vehicle's provider gave them (SEMANTICS rule 19) and are delivered when
/// they are news; what the broker kept from before is the ``lastLocation`` only. Availability is the vehicle's own
/// word, or `linkLost` while this side has no broker, `permissionDenied` where the broker refuses the subscription, and
/// `stale` from the moment on at which the vehicle's next report is overdue (rule 18).
///
/// Tracking begins with the first callbacks and ends with the last (rule 7); the router's connection stays.
public final class RemoteLocationProvider: LocationProvider {
    private struct State {
        var machine: RemoteVehicleMachine
        var counters = RemoteCounters()
        var attachment: MessageRouter.Attachment?
        /// Counts openings: what was under way for an earlier one is dropped.
        var opening: UInt64 = 0
        var isOpen = false
        var timer: (any ScheduledJob)?
        var timerDeadline: MonotonicInstant?
        var desiredAccuracy: DesiredAccuracy?
    }

    public let vehicle: VehicleID
    private let topics: [TopicKind: String]
    private let router: MessageRouter
    private let scheduler: any ProviderScheduler
    private let slots: CallbackSlots
    private let state: Mutex<State>
    private let notice: @Sendable (RemoteNotice) -> Void

    /// - Parameters:
    ///   - vehicle: whom to follow.
    ///   - root: where the vehicle publishes; the same text as on the vehicle.
    ///   - router: brings the vehicle's messages.
    ///   - scheduler: where the callbacks are called.
    ///   - notice: told what could not be used; called on the scheduler.
    public init(
        vehicle: VehicleID, root: TopicRoot = .standard, router: MessageRouter, scheduler: any ProviderScheduler,
        notice: @escaping @Sendable (RemoteNotice) -> Void = { _ in }
    ) {
        self.vehicle = vehicle
        self.router = router
        self.scheduler = scheduler
        self.notice = notice
        topics = Dictionary(
            uniqueKeysWithValues: [TopicKind.availability, .location, .track].map { ($0, root.topic($0, of: vehicle)) })
        slots = CallbackSlots(scheduler: scheduler)
        state = Mutex(State(machine: RemoteVehicleMachine(vehicle: vehicle)))
    }

    deinit {
        let (attachment, timer) = state.withLock { ($0.attachment, $0.timer) }
        attachment?.cancel()
        timer?.cancel()
    }

    // MARK: LocationProvider

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            if isActive { self?.open() } else { self?.close() }
        }
    }

    /// Kept as a hint; what the vehicle sends is its agent's choice.
    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) { state.withLock { $0.desiredAccuracy = accuracy } }

    public var lastLocation: Location? { slots.lastLocation }

    // MARK: Beside the interface

    /// The hint given last.
    public var desiredAccuracy: DesiredAccuracy? { state.withLock { $0.desiredAccuracy } }

    /// What became of the vehicle's messages.
    public var counters: RemoteCounters { state.withLock { $0.counters } }

    /// Whether the vehicle is being followed.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The vehicle's last word about itself, with all that it says.
    public var lastMessage: AvailabilityMessage? { state.withLock { $0.machine.lastMessage } }

    // MARK: On the scheduler

    private func open() {
        let opening = state.withLock { state in
            state.machine.reopen()
            state.isOpen = true
            state.opening += 1
            return state.opening
        }
        // What the vehicle says of itself comes before its last known position.
        let subscriptions = [
            Subscription(topics[.availability]!), Subscription(topics[.location]!), Subscription(topics[.track]!),
        ]
        let attachment = router.attach(subscriptions) { [weak self] event in self?.enqueue(event, opening) }
        let mustCancel = state.withLock { state in
            // Closed again inside the call.
            guard state.isOpen, state.opening == opening else { return true }
            state.attachment = attachment
            return false
        }
        if mustCancel { attachment.cancel() }
    }

    private func close() {
        let (attachment, timer) = state.withLock { state in
            defer {
                state.attachment = nil
                state.timer = nil
                state.timerDeadline = nil
            }
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
        let now = scheduler.now
        switch event {
        case .connected: perform { machine, tell in tell(machine.linkUp(now: now)) }
        case .disconnected, .stopped: perform { machine, tell in tell(machine.linkDown(now: now)) }
        case .subscribed(let refused): takeRefusals(refused, now)
        case .message(let message): take(message, now)
        case .completed: break
        }
    }

    private func takeRefusals(_ refused: [String: ReasonCode], _ now: MonotonicInstant) {
        for (kind, topic) in topics {
            guard let reason = refused[topic] else { continue }
            if kind != .track { perform { machine, tell in tell(machine.subscriptionRefused(now: now)) } }
            notice(.subscriptionRefused(filter: topic, reason))
        }
    }

    private func take(_ message: IncomingMessage, _ now: MonotonicInstant) {
        guard let kind = topics.first(where: { $0.value == message.topic })?.key else { return }
        do throws(WireError) {
            guard let decoded = try RemoteMessage(message, kind) else { return }
            if case .track(let track) = decoded { for error in track.refused { refuse(message, error) } }
            let utc = scheduler.utcNow
            perform { machine, tell in machine.receive(decoded, now: now, utc: utc, tell) }
        } catch {
            refuse(message, error)
        }
    }

    private func refuse(_ message: IncomingMessage, _ error: WireError) {
        state.withLock { $0.counters.count(error) }
        notice(.malformed(topic: message.topic, error, excerpt: WireError.excerpt(message.payload)))
    }

    /// Lets the machine decide under the lock and tells the outcomes outside it.
    private func perform(
        _ event: (inout RemoteVehicleMachine, (RemoteVehicleMachine.Outcome) -> Void) -> Void
    ) {
        let outcomes = state.withLock { state in
            var outcomes: [RemoteVehicleMachine.Outcome] = []
            event(&state.machine) { outcomes.append($0) }
            for outcome in outcomes { state.counters.count(outcome) }
            return outcomes
        }
        for outcome in outcomes {
            if let availability = outcome.availability { slots.report(availability) }
            switch outcome.position {
            case .news(let report): slots.deliverAsMade(report.location)
            case .lastKnown(let report): slots.remember(report.location)
            case nil: break
            }
        }
        setTimer()
    }

    private func setTimer() {
        let (old, deadline) = state.withLock { state -> ((any ScheduledJob)?, MonotonicInstant?) in
            let deadline = state.isOpen ? state.machine.nextDeadline : nil
            guard deadline != state.timerDeadline else { return (nil, nil) }
            defer {
                state.timer = nil
                state.timerDeadline = deadline
            }
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
            state.timer = nil
            state.timerDeadline = nil
            return true
        }
        let now = scheduler.now
        if isCurrent { perform { machine, tell in tell(machine.deadlinePassed(now: now)) } }
    }
}
