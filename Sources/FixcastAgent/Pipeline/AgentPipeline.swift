internal import Delivery
internal import EventLoop
internal import FleetWire
internal import MessageTransport
internal import MosquittoTransport
internal import Outbox
internal import Positioning
internal import Reporting

/// The agent's one path: provider, checks, reporting policy, delivery, transport, all on the loop's thread. A thin
/// driver of the pure machines.
///
/// Sendable because it is confined to the loop's thread: provider and transport call back there, and nothing else does.
final class AgentPipeline: @unchecked Sendable {
    let settings: AgentSettings
    let log: AgentLog
    let loop: EventLoop
    let state: StateDirectory
    let topics: AgentTopics
    var identity: AgentIdentity
    let startedAt: MonotonicInstant

    var reporting: ReportingMachine
    var governor: PolicyGovernor
    let cost: LinkCost
    /// When bytes last went over the link.
    var lastTraffic: MonotonicInstant
    /// Nanoseconds of silence after which the client pings.
    let keepAlive: Int64
    /// Estimated, since the start.
    var sentBytes: UInt64 = 0
    var connects: UInt64 = 0
    var losses: UInt64 = 0
    /// Whether the provider was asked for more than it gives by itself.
    var isAccuracyDemanded = false
    var nextHealth: MonotonicInstant
    var availability: AvailabilityMachine
    var delivery: DeliveryMachine<Outbox>
    var session: SessionMachine

    private let clock: any ProviderScheduler
    let provider: any LocationProvider
    private let pausable: (any PausableLocationProvider)?
    private let isPacedByConsumer: Bool
    private var isPaused = false
    /// What the log said last; an agent begins without a fix.
    private var toldAvailability = Availability.unavailable(.noFix)
    private let makeTransport: (AgentPipeline) -> any MessageTransport
    var transport: (any MessageTransport)?
    /// The number of the connection that stands or is being made.
    var connection: UInt64 = 0
    /// How many unacknowledged messages the broker takes.
    var receiveMaximum = 65_535
    var stoppedPublish: PublishID?
    var mustReconnect = false
    private var stopsWhenIdle = false
    /// Whether reports were made that carry nothing but this boot's uptime for a time.
    private(set) var hasUndatedReports = false
    private let finished: () -> Void

    /// One message for each lane, used again and again: their buffers keep their size.
    private var liveMessage: OutgoingMessage
    private var trackMessage: OutgoingMessage
    /// The live report whose acknowledgement is timed, and when it was handed over.
    private var probe: (id: PublishID, at: MonotonicInstant)?
    private var rejections = RejectionWatch()
    private var timer: LoopTimer?
    private var timerDeadline: Int64 = .max

    /// - Parameters:
    ///   - clock: the clocks; the loop's, or a test's.
    ///   - makeTransport: makes the transport, which asks ``will(connection:)`` before each attempt to connect.
    ///   - finished: called once, when a stop is done.
    init(
        settings: AgentSettings, state: StateDirectory, loop: EventLoop, clock: any ProviderScheduler, log: AgentLog,
        provider: any LocationProvider, makeTransport: @escaping (AgentPipeline) -> any MessageTransport,
        finished: @escaping () -> Void
    ) {
        self.settings = settings
        self.state = state
        self.loop = loop
        self.clock = clock
        self.log = log
        self.provider = provider
        self.makeTransport = makeTransport
        self.finished = finished
        pausable = provider as? any PausableLocationProvider
        isPacedByConsumer = pausable?.isPacedByConsumer ?? false
        topics = AgentTopics(root: settings.root, vehicle: settings.vehicle)
        identity = state.identity
        startedAt = clock.now
        reporting = ReportingMachine(policy: settings.policy, start: startedAt)
        governor = PolicyGovernor(
            base: settings.policy, limits: settings.demandLimits, bytesPerDay: settings.bytesPerDay, start: startedAt)
        cost = LinkCost(usesTLS: settings.mqtt.address.usesTLS)
        lastTraffic = startedAt
        keepAlive = max(1, Int64(settings.mqtt.keepAlive) * 1_000_000_000)
        nextHealth = startedAt + settings.healthInterval
        availability = AvailabilityMachine(
            policy: AvailabilityPolicy(fixLossDelay: settings.fixLossDelay), now: startedAt, utc: clock.utcNow)
        let outbox = Outbox(
            settings: settings.outbox, instance: identity.instance, boot: identity.boot, now: startedAt,
            utc: clock.utcNow
        ) { log($0.isRecovery ? .info : .warning, $0.code, $0.description) }
        identity.complete(from: outbox)
        delivery = DeliveryMachine(queue: outbox, settings: settings.delivery)
        session = SessionMachine(
            boot: identity.boot, isFirstBoot: identity.boot == 1, canTellDenial: settings.mqtt.version == .v5)
        liveMessage = OutgoingMessage(topic: topics.location, payload: [], qos: settings.qos)
        trackMessage = OutgoingMessage(topic: topics.track, payload: [], qos: settings.qos)
        if settings.liveEncoding == .compact { liveMessage.contentType = CompactTrack.contentType }
        if settings.trackEncoding == .compact { trackMessage.contentType = CompactTrack.contentType }
    }

    var now: MonotonicInstant { clock.now }
    var utcNow: UTCInstant? { clock.utcNow }

    // MARK: Lifecycle

    /// Opens the provider and connects.
    func start() {
        log(
            .info, "started",
            "fixcast-agent \(FixcastVersion.text), vehicle \(settings.vehicle), instance \(identity.instance), boot \(identity.boot)"
        )
        openTransport()
        provider.setCallbacks(
            locationCallback: { [self] in received($0) }, availabilityCallback: { [self] in providerChanged($0) })
        rearm()
    }

    func openTransport() {
        let transport = makeTransport(self)
        self.transport = transport
        transport.start { [self] in handle($0) }
    }

    /// The provider has come to its end: stops once everything that it delivered has reached the broker, however long
    /// that takes.
    func stopWhenDelivered() {
        appendHeld()
        stopsWhenIdle = true
        delivery.flush()
        pump()
    }

    /// Stops cleanly: no more positions, what is under way is waited for, `stopped` is acknowledged (WIRE.md).
    func stop() {
        stopsWhenIdle = false
        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        appendHeld()
        delivery.flush()
        _ = availability.agentChanged(.stopped, now: now, utc: utcNow)
        perform(session.stop(now: now.nanoseconds))
        pump()
        rearm()
    }

    /// No newer position will take the place of the one that is held.
    private func appendHeld() {
        if let draft = reporting.draftForEnd(now: now) { append(draft) }
    }

    func finish() {
        timer?.cancel()
        timer = nil
        timerDeadline = .min
        delivery.close(now: now)
        do throws(DurableFile.Failure) {
            try state.noteEnd(of: identity, last: delivery.queue.lastSequence)
        } catch {
            log(.warning, "identity", "\(error.path) cannot be written: \(error.reason)")
        }
        let waiting = delivery.queue.waitingCount
        let counters = delivery.counters
        let dropped = delivery.queue.droppedCount
        let setAside = counters.setAside == 0 ? "" : ", \(counters.setAside) that the broker cannot take"
        log(
            waiting == 0 && dropped == 0 && counters.setAside == 0 ? .info : .warning, "stopped",
            "\(counters.live) reports sent live, \(counters.track) later, \(waiting) not delivered, \(dropped) dropped\(setAside)"
        )
        finished()
    }

    // MARK: Provider

    private func received(_ location: Location) {
        let now = now
        let utc = utcNow
        let decision = reporting.receive(location, now: now, utc: utc)
        if case .reject = decision {} else { rejections.accepted() }
        if let reliability = reporting.lastReliability {
            changed(availability.received(reliability, now: now, utc: utc))
        }
        switch decision {
        case .send(let draft):
            append(draft)
            pump(now)
            // A reliable fix moves no deadline nearer but the delivery's, and the timer looks again when it fires.
            if timerDeadline <= delivery.nextDeadline?.nanoseconds ?? .max - 1, reporting.lastReliability == [] {
                return
            }
        case .hold: break
        case .reject(let rejection):
            log(
                .debug, "rejected-\(rejection.rule.rawValue)",
                "\(rejection.value) against a limit of \(rejection.threshold)")
            if rejections.rejected(rejection) {
                log(
                    .warning, "all-rejected",
                    RejectionWatch.warning(rejection, replay: settings.provider.replaySection))
            }
        }
        rearm()
    }

    private func providerChanged(_ state: Availability) {
        changed(availability.providerChanged(state, now: now, utc: utcNow))
        rearm()
    }

    private func changed(_ report: AvailabilityReport?) {
        guard let report else { return }
        if report.availability != toldAvailability {
            toldAvailability = report.availability
            switch report.availability {
            case .available: log(.info, "available", "the position is known")
            case .unavailable(let reason): log(.warning, "unavailable", reason.rawValue)
            case .unknown: break
            }
        }
        perform(session.changed())
    }

    // MARK: Delivery

    func append(_ draft: ReportDraft) {
        if draft.uptime != nil { hasUndatedReports = true }
        delivery.append(draft, now: now)
    }

    /// Hands over as much as the window takes.
    func pump() { pump(now) }

    private func pump(_ now: MonotonicInstant) {
        guard let transport else { return }
        while let handover = delivery.next(now: now) {
            let message = encode(handover)
            switch transport.publish(message) {
            case .pending(let id):
                spend(cost.publish(message), now)
                delivery.handedOver(token: id.number, bytes: message.payload.count, now: now)
                if case .live = handover, probe == nil { probe = (id, now) }
            case .settled(let outcome):
                tell(outcome)
                delivery.settled(DeliveryOutcome(outcome), bytes: message.payload.count, now: now)
            }
        }
        regulate()
        guard delivery.isIdle else { return }
        if stopsWhenIdle { return stop() }
        if session.isDraining { perform(session.drained(now: now.nanoseconds)) }
    }

    /// What was under way when the connection ended tells no time.
    func forgetProbe() { probe = nil }

    func completed(_ id: PublishID, _ outcome: PublishOutcome) {
        if id == stoppedPublish {
            stoppedPublish = nil
            tell(outcome)
            return perform(session.stopSettled())
        }
        tell(outcome)
        let now = now
        if let asked = probe, asked.id == id {
            probe = nil
            if outcome.isAccepted { reporting.acknowledged(afterNanoseconds: now.nanoseconds(since: asked.at)) }
        }
        if delivery.completed(token: id.number, DeliveryOutcome(outcome), now: now) { pump(now) }
    }

    private func tell(_ outcome: PublishOutcome) {
        switch outcome {
        case .refused(let reason) where reason == .notAuthorized:
            log(
                .error, "denied",
                "the broker does not let this client publish for \(settings.vehicle): its access list must allow \(topics.location), \(topics.track) and \(topics.availability)"
            )
        case .refused(let reason):
            log(.error, "refused", "the broker refused a message, reason code \(reason.rawValue)")
        case .tooLarge(let limit):
            log(.warning, "too-large", "a message exceeds what the broker takes (\(limit) bytes)")
        case .accepted, .acceptedWithoutSubscribers, .notConnected, .unknown: break
        }
    }

    private func encode(_ handover: Handover) -> OutgoingMessage {
        switch handover {
        case .live(let report):
            liveMessage.retain = report.location.isReliable && settings.retain == .all
            liveMessage.expiry = liveMessage.retain ? settings.locationExpiry : nil
            liveMessage.payload.removeAll(keepingCapacity: true)
            switch settings.liveEncoding {
            case .json: ReportJSON.encode(report, into: &liveMessage.payload)
            case .compact: CompactTrack.encode([report], into: &liveMessage.payload)
            }
            return liveMessage
        case .track(let reports):
            trackMessage.payload.removeAll(keepingCapacity: true)
            switch settings.trackEncoding {
            case .json: TrackJSON.encode(reports, into: &trackMessage.payload)
            case .compact: CompactTrack.encode(reports, into: &trackMessage.payload)
            }
            return trackMessage
        }
    }

    /// Lets the provider wait while reports come faster than they go out. A live receiver waits neither for a connection
    /// nor for a backlog: the bounded queue keeps what comes meanwhile; a replay at the pipeline's pace waits for both.
    private func regulate() {
        guard let pausable else { return }
        let pause =
            isPacedByConsumer
            ? delivery.isCongested || !session.isOnline
            : delivery.isCongested && session.isOnline && !delivery.hasBacklog
        guard pause != isPaused else { return }
        isPaused = pause
        pausable.setPaused(pause)
    }

    // MARK: Time

    /// Sets the one timer for whatever is due first. An earlier timer stays and looks again when it fires.
    func rearm() {
        let deadline = min(
            reporting.nextDeadline?.nanoseconds ?? .max, availability.nextDeadline?.nanoseconds ?? .max,
            session.nextDeadline ?? .max, delivery.nextDeadline?.nanoseconds ?? .max,
            governor.nextDeadline?.nanoseconds ?? .max, nextHealth.nanoseconds)
        guard deadline < timerDeadline else { return }
        timer?.cancel()
        timerDeadline = deadline
        timer = loop.schedule(at: deadline) { [self] in deadlinePassed() }
    }

    private func deadlinePassed() {
        timerDeadline = .max
        let now = now
        let utc = utcNow
        if let draft = reporting.deadlinePassed(now: now, utc: utc) { append(draft) }
        delivery.deadlinePassed(now: now)
        changed(availability.deadlinePassed(now: now, utc: utc))
        perform(session.deadlinePassed(now: now.nanoseconds))
        if governor.deadlinePassed(now: now) { applyPolicy() }
        if nextHealth <= now { publishHealth() }
        pump()
        rearm()
    }
}
