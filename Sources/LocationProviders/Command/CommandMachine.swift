internal import EventLoop
internal import Positioning

/// What the `command` provider knows and decides: pure. The driver tells what happened and performs what comes back.
struct CommandMachine: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// Nobody listens. Becomes running or waiting.
        case idle
        /// The program runs. Becomes waiting or idle.
        case running(Run)
        /// Until the next attempt. Becomes running, waiting or idle.
        case waiting(until: MonotonicInstant)
    }

    /// One life of the program.
    struct Run: Equatable, Sendable {
        var since: MonotonicInstant
        /// When a line last told of a position, or of having none; the beginning counts.
        var lastReport: MonotonicInstant
        var isSilent = false
        var hasTalkedNonsense = false
    }

    enum Command: Equatable, Sendable {
        /// Start the program; ``started(now:)`` or ``startFailed(errno:now:random:)`` follows.
        case start
        /// End the program and all that it started.
        case end
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
        case nothing, running, silent
        case failed(errno: Int32)
        case ended(CommandExit)
    }

    private let settings: CommandSettings
    private let assumption: AccuracyAssumption
    private let uere: Double
    private(set) var state = State.idle
    private var retry = Backoff()
    private var told = Told.nothing
    private var errorLines = LineAllowance()
    /// Lines that could not be read.
    private(set) var garbage: UInt64 = 0
    private var isPaused = false

    init(settings: CommandSettings, common: CommonProviderSettings = CommonProviderSettings()) {
        self.settings = settings
        assumption = common.assumption
        uere = common.uere
    }

    /// When ``timerFired(now:)`` is next to be called; calling it too early does no harm.
    var deadline: MonotonicInstant? {
        switch state {
        case .idle: nil
        case .waiting(let until): until
        case .running(let run): isPaused || run.isSilent ? nil : run.lastReport + settings.silence
        }
    }

    // MARK: Consumer

    mutating func start(now: MonotonicInstant) -> Actions {
        guard state == .idle else { return Actions() }
        (retry, told, errorLines) = (Backoff(), .nothing, LineAllowance())
        state = .waiting(until: now)
        return Actions(command: .start)
    }

    mutating func stop() -> Actions {
        guard state != .idle else { return Actions() }
        state = .idle
        return Actions(command: .end)
    }

    /// While the consumer does not read, silence is its own.
    mutating func setPaused(_ paused: Bool, now: MonotonicInstant) {
        guard paused != isPaused else { return }
        isPaused = paused
        if case .running(var run) = state, !paused {
            run.lastReport = now
            state = .running(run)
        }
    }

    // MARK: The program

    mutating func started(now: MonotonicInstant) -> Actions {
        guard case .waiting = state else { return Actions() }
        state = .running(Run(since: now, lastReport: now))
        return Actions()
    }

    /// It cannot be started; the system's error number says why.
    mutating func startFailed(errno: Int32, now: MonotonicInstant, random: Double) -> Actions {
        guard case .waiting = state else { return Actions() }
        wait(now, random)
        return Actions(
            availability: .unavailable(.providerDown),
            notice: tell(.failed(errno: errno), .commandFailed(name: settings.name, errno: errno)))
    }

    mutating func ended(_ exit: CommandExit, now: MonotonicInstant, random: Double) -> Actions {
        guard case .running(let run) = state else { return Actions() }
        retry.connectionEnded(after: now.nanoseconds(since: run.since))
        wait(now, random)
        return Actions(
            availability: .unavailable(.providerDown),
            notice: tell(.ended(exit), .commandEnded(name: settings.name, exit)))
    }

    private mutating func wait(_ now: MonotonicInstant, _ random: Double) {
        state = .waiting(until: now + .nanoseconds(retry.next(random: random)))
    }

    mutating func timerFired(now: MonotonicInstant) -> Actions {
        switch state {
        case .idle: return Actions()
        case .waiting(let until): return until <= now ? Actions(command: .start) : Actions()
        case .running(var run):
            guard !isPaused, !run.isSilent, run.lastReport + settings.silence <= now else { return Actions() }
            run.isSilent = true
            state = .running(run)
            return Actions(
                availability: .unavailable(.noFix), notice: tell(.silent, .commandSilent(name: settings.name)))
        }
    }

    // MARK: Lines

    /// A line of the program's standard output.
    ///
    /// - Parameter utc: the host's clock, or `nil` while it cannot be trusted.
    mutating func read(_ line: Span<UInt8>, now: MonotonicInstant, utc: UTCInstant?) -> Actions {
        guard case .running(var run) = state else { return Actions() }
        var actions = Actions()
        do throws(CommandMessage.Refusal) {
            switch try CommandMessage.read(line, utc: utc, uere: uere) {
            case .fix(var location):
                assumption.apply(to: &location)
                (actions.availability, actions.location) = (.available, location)
                actions.notice = tell(.running, .commandDelivers(name: settings.name))
                (run.lastReport, run.isSilent) = (now, false)
            case .noFix:
                actions.availability = .unavailable(.noFix)
                (run.lastReport, run.isSilent) = (now, false)
            case .error(let text):
                actions.availability = .unavailable(.providerDown)
                let bytes = Array(text.utf8)
                actions.notice = say(bytes.span, now)
                (run.lastReport, run.isSilent) = (now, false)
            }
        } catch {
            garbage += 1
            if !run.hasTalkedNonsense { actions.notice = .commandGarbage(name: settings.name) }
            run.hasTalkedNonsense = true
        }
        state = .running(run)
        return actions
    }

    /// A line of the program's standard error.
    mutating func complained(_ line: Span<UInt8>, now: MonotonicInstant) -> Actions {
        guard state != .idle else { return Actions() }
        return Actions(notice: say(line, now))
    }

    private mutating func say(_ line: Span<UInt8>, _ now: MonotonicInstant) -> ProviderNotice? {
        guard let suppressed = errorLines.take(now) else { return nil }
        return .commandSays(name: settings.name, text: RedactedText.text(line), suppressed: suppressed)
    }

    private mutating func tell(_ news: Told, _ notice: ProviderNotice) -> ProviderNotice? {
        defer { told = news }
        return told == news ? nil : notice
    }
}
