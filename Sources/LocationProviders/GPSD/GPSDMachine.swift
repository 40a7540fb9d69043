internal import EventLoop
internal import Positioning

/// What the gpsd provider knows and decides: pure. The driver tells what happened and performs what comes back.
struct GPSDMachine: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// Nobody listens. Becomes connecting.
        case idle
        /// The driver resolves and connects. Becomes connected, waiting or idle.
        case connecting
        /// Becomes waiting or idle.
        case connected(Link)
        /// Until the next attempt. Becomes connecting or idle.
        case waiting(until: MonotonicInstant)
    }

    /// One connection.
    struct Link: Equatable, Sendable {
        var since: MonotonicInstant
        var lastByte: MonotonicInstant
        /// When a report last said whether there is a fix; the beginning counts.
        var lastReport: MonotonicInstant
        /// Whether a line of gpsd came.
        var hasSpoken = false
        /// Whether the silence was told.
        var isSilent = false
        /// Whether gpsd has no device.
        var isDeviceLost = false
    }

    /// What the driver is to do with the connection.
    enum Command: Equatable, Sendable {
        case connect
        /// Send the requests: to be told what comes, and what was last seen.
        case watch
        case disconnect
    }

    /// What an event led to, to be performed from the first to the last.
    struct Actions: Equatable, Sendable {
        /// Told before everything else: a position that waited for the rest of its epoch.
        var earlier: Location?
        var availability: Availability?
        var location: Location?
        /// What makes the last position known more complete, or known at all; it is not told.
        var remembered: Location?
        var notice: ProviderNotice?
        /// Something odd that changes no state.
        var warning: ProviderNotice?
        var command: Command?
    }

    /// The state as last told in a notice; each is told once.
    enum Told: Equatable, Sendable {
        case nothing, connected, silent, deviceLost, disconnected
        case unreachable(ProviderNotice.ConnectFailure)
    }

    /// A local daemon is back soon, and asking it costs nothing.
    private static let freshBackoff = Backoff(maximum: 30_000_000_000)

    let settings: GPSDSettings
    let assumption: AccuracyAssumption
    var state = State.idle
    var translator: GPSDTranslator
    var choice: GPSDDeviceChoice
    var gate = GPSDEpochGate()
    private var retry: Backoff
    var told = Told.nothing
    /// The devices' paths, for notices.
    var names: [GPSDMessage.DeviceInfo] = []
    var hasWarned = false
    var hasMissed = false
    private var isPaused = false

    init(settings: GPSDSettings, common: CommonProviderSettings = CommonProviderSettings()) {
        self.settings = settings
        retry = Self.freshBackoff
        assumption = common.assumption
        choice = GPSDDeviceChoice(settings: settings)
        translator = GPSDTranslator(accuracy: common.gpsdAccuracy)
    }

    /// When ``timerFired(now:random:)`` is next to be called; calling it too early does no harm.
    var deadline: MonotonicInstant? {
        switch state {
        case .idle, .connecting: nil
        case .waiting(let until): until
        case .connected(let link):
            if isPaused {
                nil
            } else {
                min(gate.deadline ?? deadline(link), deadline(link))
            }
        }
    }

    private func deadline(_ link: Link) -> MonotonicInstant {
        let dead = link.lastByte + settings.deadAfter
        return link.isSilent ? dead : min(link.lastReport + settings.silence, dead)
    }

    /// The device whose position is wanted first.
    var preferredDevice: GPSDDevice? { choice.preferred }

    // MARK: Consumer

    mutating func start() -> Actions {
        guard state == .idle else { return Actions() }
        (told, retry) = (.nothing, Self.freshBackoff)
        state = .connecting
        return Actions(command: .connect)
    }

    mutating func stop() -> Actions {
        guard state != .idle else { return Actions() }
        state = .idle
        return Actions(command: .disconnect)
    }

    /// While the consumer does not read, silence is its own.
    mutating func setPaused(_ paused: Bool, now: MonotonicInstant) {
        guard paused != isPaused else { return }
        isPaused = paused
        if case .connected(var link) = state, !paused {
            (link.lastByte, link.lastReport) = (now, now)
            state = .connected(link)
        }
    }

    // MARK: Connection

    mutating func connected(now: MonotonicInstant) -> Actions {
        guard state == .connecting else { return Actions() }
        state = .connected(Link(since: now, lastByte: now, lastReport: now))
        translator = GPSDTranslator(accuracy: translator.accuracy)
        gate = GPSDEpochGate()
        choice.begin(now: now)
        return Actions(command: .watch)
    }

    mutating func connectFailed(
        _ failure: ProviderNotice.ConnectFailure, now: MonotonicInstant, random: Double
    ) -> Actions {
        guard state == .connecting else { return Actions() }
        wait(now, random)
        return Actions(
            availability: .unavailable(.providerDown),
            notice: tell(.unreachable(failure), .unreachable(address: settings.address, failure)))
    }

    /// gpsd closed the connection, or it broke.
    mutating func disconnected(now: MonotonicInstant, random: Double) -> Actions {
        guard case .connected(let link) = state else { return Actions() }
        end(link, now, random)
        return Actions(
            earlier: takeHeld(), availability: .unavailable(.providerDown),
            notice: tell(.disconnected, .disconnected(address: settings.address)), command: .disconnect)
    }

    private mutating func end(_ link: Link, _ now: MonotonicInstant, _ random: Double) {
        retry.connectionEnded(after: (now - link.since).wholeNanoseconds)
        wait(now, random)
    }

    private mutating func wait(_ now: MonotonicInstant, _ random: Double) {
        state = .waiting(until: now + .nanoseconds(retry.next(random: random)))
    }

    // MARK: Time

    mutating func timerFired(now: MonotonicInstant, random: Double) -> Actions {
        switch state {
        case .idle, .connecting: return Actions()
        case .waiting(let until):
            guard until <= now else { return Actions() }
            state = .connecting
            return Actions(command: .connect)
        case .connected(var link):
            guard !isPaused else { return Actions() }
            var actions = Actions(earlier: gate.expire(now: now).map(assumed))
            if link.lastByte + settings.deadAfter <= now {
                // What is known stays known until an attempt to connect fails: gpsd is silent too where its receiver is.
                end(link, now, random)
                actions.command = .disconnect
                return actions
            }
            guard !link.isSilent, link.lastReport + settings.silence <= now else { return actions }
            link.isSilent = true
            state = .connected(link)
            if link.isDeviceLost { return actions }
            // A server that never greeted is no gpsd.
            actions.availability = .unavailable(link.hasSpoken ? .noFix : .providerDown)
            actions.notice = tell(.silent, .silent(address: settings.address))
            return actions
        }
    }

    // MARK: Lines

    /// Bytes came, whatever they say.
    mutating func received(now: MonotonicInstant) {
        guard case .connected(var link) = state else { return }
        link.lastByte = now
        state = .connected(link)
    }

    mutating func tell(_ news: Told, _ notice: ProviderNotice) -> ProviderNotice? {
        defer { told = news }
        return told == news ? nil : notice
    }
}
