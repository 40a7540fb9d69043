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
    /// The topic that the phone publishes on, for example `owntracks/anna/phone`.
    public let topic: String
    private let session: RouterSession
    private let scheduler: any ProviderScheduler
    private let slots: CallbackSlots
    private let machine: Mutex<OwnTracksMachine>
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
        session = RouterSession(router: router, scheduler: scheduler)
        self.scheduler = scheduler
        self.notice = notice
        slots = CallbackSlots(scheduler: scheduler)
        machine = Mutex(OwnTracksMachine(staleAfter: staleAfter))
    }

    public var lastLocation: Location? { slots.lastLocation }

    /// Whether the phone is being followed.
    public var isOpen: Bool { session.isOpen }

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            if isActive { self?.open() } else { self?.session.close() }
        }
    }

    /// Does nothing: the phone decides (rule 9).
    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {}

    private func open() {
        machine.withLock { $0.reopen() }
        session.open([Subscription(topic)]) { [weak self] in self?.take($0) }
    }

    private func take(_ event: TransportEvent) {
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
        let outcome = machine.withLock { event(&$0) }
        if let availability = outcome.availability { slots.report(availability) }
        switch outcome.position {
        case .news(let location): slots.deliver(location)
        case .lastKnown(let location): slots.remember(location)
        case nil: break
        }
        session.setTimer(machine.withLock { $0.nextDeadline }) { [weak self] in self?.deadlinePassed() }
    }

    private func deadlinePassed() {
        let now = scheduler.now
        perform { $0.deadlinePassed(now: now) }
    }
}
