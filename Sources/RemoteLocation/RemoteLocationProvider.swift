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
        var desiredAccuracy: DesiredAccuracy?
    }

    public let vehicle: VehicleID
    private let topics: [TopicKind: String]
    private let session: RouterSession
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
        session = RouterSession(router: router, scheduler: scheduler)
        self.scheduler = scheduler
        self.notice = notice
        topics = Dictionary(
            uniqueKeysWithValues: [TopicKind.availability, .location, .track].map { ($0, root.topic($0, of: vehicle)) })
        slots = CallbackSlots(scheduler: scheduler)
        state = Mutex(State(machine: RemoteVehicleMachine(vehicle: vehicle)))
    }

    // MARK: LocationProvider

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            if isActive { self?.open() } else { self?.session.close() }
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
    public var isOpen: Bool { session.isOpen }

    /// The vehicle's last word about itself, with all that it says.
    public var lastMessage: AvailabilityMessage? { state.withLock { $0.machine.lastMessage } }

    // MARK: On the scheduler

    private func open() {
        state.withLock { $0.machine.reopen() }
        // What the vehicle says of itself comes before its last known position.
        let subscriptions = [
            Subscription(topics[.availability]!), Subscription(topics[.location]!), Subscription(topics[.track]!),
        ]
        session.open(subscriptions) { [weak self] in self?.take($0) }
    }

    private func take(_ event: TransportEvent) {
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
        session.setTimer(state.withLock { $0.machine.nextDeadline }) { [weak self] in self?.deadlinePassed() }
    }

    private func deadlinePassed() {
        let now = scheduler.now
        perform { machine, tell in tell(machine.deadlinePassed(now: now)) }
    }
}
