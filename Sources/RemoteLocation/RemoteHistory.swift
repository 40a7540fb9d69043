public import FleetWire
internal import MessageTransport
public import Positioning
internal import Synchronization

/// A report as a history gets it.
public struct HistoryReport: Equatable, Sendable {
    /// As the vehicle made it, never changed.
    public var report: Report
    /// When it was made: its own time, or that of its boot's clock where the vehicle has told it; `nil`: not known yet.
    public var time: UTCInstant?
    /// Whether reports made after it came before it.
    public var isLate: Bool
}

/// Collects every report of one vehicle over MQTT, each exactly once, and asks for those that it missed.
///
/// Reports come as they arrive: sort by identity, not by arrival. What one run has received is known to this object
/// only; a program that keeps its history over restarts tells duplicates of an earlier run by the identity.
///
/// It publishes only where a subscriber name was given: `resend` commands on the vehicle's `command` topic, which the
/// broker's access rules must allow, as the subscription to `reply/<subscriber>`.
public final class RemoteHistory: Sendable {
    private struct State {
        var machine: HistoryMachine
        var malformed: [WireError.Code: Int] = [:]
        var duplicates = 0
    }

    /// The seconds after which the broker drops a command that the vehicle did not get.
    static let commandExpiry: UInt32 = 60

    public let vehicle: VehicleID
    private let topics: [TopicKind: String]
    private let commandTopic: String
    private let replyTopic: String?
    private let router: MessageRouter
    private let session: RouterSession
    private let scheduler: any ProviderScheduler
    private let state: Mutex<State>
    private let deliver: @Sendable (HistoryReport) -> Void
    private let notice: @Sendable (RemoteNotice) -> Void

    /// - Parameters:
    ///   - vehicle: whose reports to collect.
    ///   - root: where the vehicle publishes; the same text as on the vehicle.
    ///   - settings: who asks for what is missing, and how patiently.
    ///   - router: brings the vehicle's messages.
    ///   - scheduler: where `deliver` and `notice` are called.
    ///   - notice: told what could not be used.
    ///   - deliver: gets each report once.
    public init(
        vehicle: VehicleID, root: TopicRoot = .standard, settings: HistorySettings, router: MessageRouter,
        scheduler: any ProviderScheduler, notice: @escaping @Sendable (RemoteNotice) -> Void = { _ in },
        deliver: @escaping @Sendable (HistoryReport) -> Void
    ) {
        self.vehicle = vehicle
        self.router = router
        self.scheduler = scheduler
        self.notice = notice
        self.deliver = deliver
        session = RouterSession(router: router, scheduler: scheduler)
        topics = Dictionary(uniqueKeysWithValues: TopicKind.allCases.map { ($0, root.topic($0, of: vehicle)) })
        commandTopic = root.commandTopic(of: vehicle)
        replyTopic = settings.subscriber.map { root.replyTopic(of: vehicle, to: $0) }
        // Numbers of its own for each run: a reply to an earlier one is none to this.
        let first = scheduler.utcNow?.milliseconds ?? scheduler.now.nanoseconds
        state = Mutex(
            State(
                machine: HistoryMachine(
                    vehicle: vehicle, settings: settings, firstRequest: UInt64(first.magnitude))))
    }

    /// Begins to collect, on the scheduler. A second call does nothing.
    public func start() { scheduler.enqueue { [weak self] in self?.open() } }

    /// Ends it, on the scheduler; what was received stays known, so that ``start()`` goes on from there.
    public func stop() {
        scheduler.enqueue { [weak self] in
            guard let self else { return }
            session.close()
            let now = scheduler.now
            state.withLock { $0.machine.linkDown(now: now) }
        }
    }

    /// What is here and what is not, boot by boot. Callable from any thread.
    public var completeness: [BootCompleteness] { state.withLock { $0.machine.completeness } }

    /// How often a report came that was known. Callable from any thread.
    public var duplicates: Int { state.withLock { $0.duplicates } }

    /// Payloads, and reports of a batch, that could not be read. Callable from any thread.
    public var malformed: [WireError.Code: Int] { state.withLock { $0.malformed } }

    /// When a report was made, by what is known now: see ``HistoryReport/time``. Callable from any thread.
    public func time(of report: Report) -> UTCInstant? { state.withLock { $0.machine.time(of: report) } }

    // MARK: On the scheduler

    private func open() {
        guard !session.isOpen else { return }
        // What the vehicle says of itself comes before its reports.
        let kinds: [TopicKind] = [.availability, .health, .location, .track]
        let filters = kinds.map { topics[$0]! } + (replyTopic.map { [$0] } ?? [])
        session.open(filters.map { Subscription($0) }) { [weak self] in self?.take($0) }
    }

    private func take(_ event: TransportEvent) {
        let now = scheduler.now
        switch event {
        case .connected: state.withLock { $0.machine.linkUp(now: now) }
        case .disconnected, .stopped: state.withLock { $0.machine.linkDown(now: now) }
        case .subscribed(let refused):
            for (filter, reason) in refused where topics.values.contains(filter) || filter == replyTopic {
                notice(.subscriptionRefused(filter: filter, reason))
            }
        case .message(let message):
            do throws(WireError) { try take(message, now) } catch { refuse(message, error) }
        case .completed: break
        }
        ask()
    }

    private func take(_ message: IncomingMessage, _ now: MonotonicInstant) throws(WireError) {
        // An empty payload is how a retained message is cleared.
        if message.payload.isEmpty { return }
        if message.topic == replyTopic {
            let reply = try ReplyJSON.decode(message.payload)
            state.withLock { $0.machine.receive(reply, now: now) }
            return
        }
        guard let kind = topics.first(where: { $0.value == message.topic })?.key else { return }
        if kind == .health {
            let health = try HealthJSON.decode(message.payload)
            state.withLock { $0.machine.receive(health, now: now) }
            return
        }
        switch try RemoteMessage(message, kind) {
        case .location(let report, _): take(report, now)
        case .track(let track):
            for error in track.refused { refuse(message, error) }
            for report in track.reports { take(report, now) }
        case .availability(let availability, _):
            state.withLock { $0.machine.receive(availability, now: now) }
        case .cleared, nil: break
        }
    }

    private func take(_ report: Report, _ now: MonotonicInstant) {
        let news = state.withLock { state -> HistoryReport? in
            let receipt = state.machine.receive(report.identity, now: now)
            if receipt == .duplicate { state.duplicates += 1 }
            guard receipt == .new || receipt == .late else { return nil }
            return HistoryReport(report: report, time: state.machine.time(of: report), isLate: receipt == .late)
        }
        if let news { deliver(news) }
    }

    private func refuse(_ message: IncomingMessage, _ error: WireError) {
        state.withLock { $0.malformed[error.code, default: 0] += 1 }
        notice(.malformed(topic: message.topic, error, excerpt: WireError.excerpt(message.payload)))
    }

    private func ask() {
        let now = scheduler.now
        let (command, deadline) = state.withLock { state in
            (state.machine.nextCommand(now: now), state.machine.nextDeadline)
        }
        if let command {
            var payload: [UInt8] = []
            CommandJSON.encode(command, into: &payload)
            router.publish(OutgoingMessage(topic: commandTopic, payload: payload, expiry: Self.commandExpiry))
        }
        session.setTimer(deadline) { [weak self] in self?.ask() }
    }
}
