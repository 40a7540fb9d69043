internal import EventLoop
internal import Positioning

/// What the NMEA provider knows and decides: pure. The driver tells what happened and performs what comes back.
struct NMEAMachine: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// Nobody listens. Becomes opening.
        case idle
        /// The driver opens the source. Becomes open, waiting or idle.
        case opening
        /// Becomes waiting, ended or idle.
        case open(Link)
        /// Until the next attempt. Becomes opening or idle.
        case waiting(until: MonotonicInstant)
        /// There is no more. Becomes idle.
        case ended
    }

    /// What the driver is to do with the source.
    enum Command: Equatable, Sendable {
        /// With the rate to begin with, of a serial port whose rate is to be found.
        case open(BaudRate?)
        case close
        case setRate(BaudRate)
    }

    /// What an event led to, to be performed from the first to the last.
    struct Actions: Equatable, Sendable {
        var availability: Availability?
        var location: Location?
        var notice: ProviderNotice?
        var command: Command?
    }

    /// The state as last told in a notice; each is told once.
    private enum Told: Equatable, Sendable {
        case nothing, silent, unreadable, lost
        case reading(BaudRate?)
        case unavailable(SourceFailure)
    }

    /// Of several senders of datagrams one is followed while it has a fix.
    private struct Followed: Equatable, Sendable {
        var sender: UInt64
        var lastFix: MonotonicInstant
    }

    /// How long the one that is followed may be without a fix before another one's fix is taken.
    static let senderPatience = Duration.seconds(3)

    private let settings: NMEASettings
    private let assumption: AccuracyAssumption
    private(set) var state = State.idle
    /// Where the rate of a serial port is to be found.
    private(set) var search: BaudSearch?
    private var retry: Backoff
    private var told = Told.nothing
    private var followed: Followed?
    private var isPaused = false

    init(settings: NMEASettings, common: CommonProviderSettings = CommonProviderSettings()) {
        self.settings = settings
        assumption = common.assumption
        retry = settings.source.freshBackoff
        if case .serial(_, nil) = settings.source { search = BaudSearch() }
    }

    /// When ``timerFired(now:random:)`` is next to be called; calling it too early does no harm.
    var deadline: MonotonicInstant? {
        switch state {
        case .idle, .opening, .ended: nil
        case .waiting(let until): until
        case .open(let link):
            if isPaused {
                nil
            } else {
                [deadline(of: link), search?.deadline].compactMap(\.self).min()
            }
        }
    }

    private func deadline(of link: Link) -> MonotonicInstant? {
        switch link.lack {
        case .nothing: link.lastEpoch + settings.silence
        case .epochs: link.lastSentence + settings.silence
        case .sentences: link.lastByte + settings.silence
        case .bytes: settings.source.isReopenedWhenSilent ? link.lastByte + settings.deadAfter : nil
        }
    }

    // MARK: Consumer

    mutating func start() -> Actions {
        guard state == .idle else { return Actions() }
        (told, retry) = (.nothing, settings.source.freshBackoff)
        return open()
    }

    mutating func stop() -> Actions {
        guard state != .idle else { return Actions() }
        state = .idle
        return Actions(command: .close)
    }

    /// While the consumer does not read, silence is its own.
    mutating func setPaused(_ paused: Bool, now: MonotonicInstant) {
        guard paused != isPaused else { return }
        isPaused = paused
        if case .open(var link) = state, !paused {
            link.resume(now)
            search?.resume(now: now)
            state = .open(link)
        }
    }

    // MARK: Source

    private mutating func open() -> Actions {
        state = .opening
        return Actions(command: .open(search?.rate))
    }

    mutating func opened(now: MonotonicInstant) -> Actions {
        guard state == .opening else { return Actions() }
        state = .open(Link(now))
        search?.begin(now: now)
        followed = nil
        return Actions()
    }

    mutating func openFailed(_ failure: SourceFailure, now: MonotonicInstant, random: Double) -> Actions {
        guard state == .opening else { return Actions() }
        wait(now, random)
        return Actions(
            availability: .unavailable(failure == .permissionDenied ? .permissionDenied : .providerDown),
            notice: tell(.unavailable(failure), .sourceUnavailable(source: settings.source, failure)))
    }

    /// The port was unplugged, the server closed the connection, or it broke.
    mutating func lost(now: MonotonicInstant, random: Double) -> Actions {
        guard case .open(let link) = state else { return Actions() }
        end(link, now, random)
        return Actions(
            availability: .unavailable(.providerDown), notice: tell(.lost, .sourceLost(source: settings.source)),
            command: .close)
    }

    /// The writer of a FIFO is gone; the source waits for the next one.
    mutating func writerLeft(now: MonotonicInstant) -> Actions {
        guard case .open(var link) = state else { return Actions() }
        link.lack = .bytes
        state = .open(link)
        return Actions(
            availability: .unavailable(.providerDown), notice: tell(.lost, .sourceLost(source: settings.source)))
    }

    /// The file or the standard input is at its end, and all that was in it was read.
    mutating func ended() -> Actions {
        guard case .open = state else { return Actions() }
        state = .ended
        return Actions(
            availability: .unavailable(.providerDown), notice: .ended(file: settings.source.description),
            command: .close)
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
        case .idle, .opening, .ended: return Actions()
        case .waiting(let until): return until <= now ? open() : Actions()
        case .open(let link):
            guard !isPaused else { return Actions() }
            var actions = silent(link, now, random)
            if actions.command == nil, let rate = search?.deadlinePassed(now: now) { actions.command = .setRate(rate) }
            return actions
        }
    }

    private mutating func silent(_ link: Link, _ now: MonotonicInstant, _ random: Double) -> Actions {
        guard let deadline = deadline(of: link), deadline <= now else { return Actions() }
        if link.lack == .bytes {
            end(link, now, random)
            return Actions(command: .close)
        }
        var link = link
        defer { state = .open(link) }
        if link.lastByte + settings.silence <= now {
            link.lack = .bytes
            return Actions(
                availability: .unavailable(.providerDown),
                notice: tell(.silent, .sourceSilent(source: settings.source)))
        }
        if link.lastSentence + settings.silence <= now {
            link.lack = .sentences
            return Actions(
                availability: .unavailable(.providerDown),
                notice: tell(.unreadable, .notNMEA(source: settings.source)))
        }
        link.lack = .epochs
        return Actions(availability: .unavailable(.noFix))
    }

    // MARK: Reading

    /// Bytes came, and so many sentences with a right checksum ended in them.
    mutating func received(bytes: Int, sentences: Int, now: MonotonicInstant) -> Actions {
        guard case .open(var link) = state else { return Actions() }
        var actions = Actions()
        if let rate = search?.received(bytes: bytes, sentences: sentences, now: now) {
            actions.command = .setRate(rate)
        }
        link.received(sentences: sentences, now)
        state = .open(link)
        if sentences > 0 { actions.notice = reading() }
        return actions
    }

    /// An epoch is complete.
    ///
    /// - Parameter sender: of the datagrams it came in; 0 where there are none.
    mutating func read(_ epoch: NMEAEpoch, from sender: UInt64, now: MonotonicInstant) -> Actions {
        guard case .open(var link) = state, follows(sender, epoch, now) else { return Actions() }
        (link.lastEpoch, link.lack) = (now, .nothing)
        state = .open(link)
        switch epoch {
        case .noFix: return Actions(availability: .unavailable(.noFix))
        case .fix(var location):
            assumption.apply(to: &location)
            return Actions(availability: .available, location: location)
        }
    }

    /// Two receivers' positions in turn would be a vehicle that jumps.
    private mutating func follows(_ sender: UInt64, _ epoch: NMEAEpoch, _ now: MonotonicInstant) -> Bool {
        guard case .fix = epoch else { return followed == nil || followed?.sender == sender }
        if let followed, followed.sender != sender, now < followed.lastFix + Self.senderPatience { return false }
        followed = Followed(sender: sender, lastFix: now)
        return true
    }

    private mutating func reading() -> ProviderNotice? {
        tell(.reading(search?.rate), .reading(source: settings.source, found: search?.rate))
    }

    private mutating func tell(_ news: Told, _ notice: ProviderNotice) -> ProviderNotice? {
        defer { told = news }
        return told == news ? nil : notice
    }
}

extension SourceAddress {
    /// A port that is plugged in again is there soon, and looking for it costs little; a server on a network is given
    /// more time.
    fileprivate var freshBackoff: Backoff {
        if case .tcp = self { return Backoff(maximum: 30_000_000_000) }
        return Backoff(initial: 500_000_000, maximum: 4_000_000_000)
    }

    /// Whether opening it anew may help where nothing comes.
    fileprivate var isReopenedWhenSilent: Bool {
        switch self {
        case .serial, .tcp: true
        case .udp, .file, .standardInput: false
        }
    }
}
