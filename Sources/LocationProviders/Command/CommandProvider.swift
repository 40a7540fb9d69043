public import EventLoop
public import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Positions from a program that prints one JSON object a line: runs it while somebody listens, and again when it
/// ended. The schema is ``CommandSettings``' and the README's: WIRE.md's names for a position's parts.
///
/// `@unchecked Sendable`: `slots`, `loop`, `settings` and `notify` never change and are Sendable themselves; everything
/// else is touched on the loop's thread alone, by what `slots` calls there, by the loop's watches and timers, and by
/// ``setPaused(_:)``, which is documented to be called there.
public final class CommandProvider: PausableLocationProvider, @unchecked Sendable {
    private let slots: CallbackSlots
    private let loop: EventLoop
    private let settings: CommandSettings
    private let notify: @Sendable (ProviderNotice) -> Void
    private let tap: (@Sendable (RawStreamEvent) -> Void)?

    private var machine: CommandMachine
    private var life: CommandLife?
    private var timer: (deadline: MonotonicInstant, job: LoopTimer)?
    private var isPaused = false

    /// - Parameters:
    ///   - notify: told each change of state on the loop, once.
    ///   - tap: told what the program prints, as it was read.
    public init(
        loop: EventLoop, settings: CommandSettings, common: CommonProviderSettings = CommonProviderSettings(),
        notify: @escaping @Sendable (ProviderNotice) -> Void = { _ in },
        tap: (@Sendable (RawStreamEvent) -> Void)? = nil
    ) {
        self.loop = loop
        self.settings = settings
        self.notify = notify
        self.tap = tap
        slots = CallbackSlots(scheduler: LoopScheduler(loop))
        machine = CommandMachine(settings: settings, common: common)
    }

    /// Dropped while open, it leaves nothing running.
    deinit {
        guard let life else { return }
        let remains = Remains(life: life)
        loop.execute { remains.life.end(isWanted: false) { _ in } }
    }

    public var lastLocation: Location? { slots.lastLocation }

    public var isPacedByConsumer: Bool { false }

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            guard let self else { return }
            perform(isActive ? machine.start(now: now) : machine.stop())
        }
    }

    /// Does nothing: a program has no way to be told (rule 9).
    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {}

    public func setPaused(_ paused: Bool) {
        guard paused != isPaused else { return }
        isPaused = paused
        machine.setPaused(paused, now: now)
        if paused {
            life?.unwatchOutput()
        } else {
            loop.execute { [weak self] in self?.resume() }
        }
        arm()
    }

    /// What was read before the pause waits in the buffer and comes first.
    private func resume() {
        readLines()
        watchOutput()
    }

    private var now: MonotonicInstant { MonotonicInstant(nanoseconds: EventLoop.now()) }

    // MARK: Acting

    private func perform(_ actions: CommandMachine.Actions) {
        if let availability = actions.availability { slots.report(availability) }
        if let location = actions.location { slots.deliver(location) }
        if let notice = actions.notice { notify(notice) }
        switch actions.command {
        case nil: break
        case .start: start()
        case .end: end(isWanted: false)
        }
        arm()
    }

    private func arm() {
        guard let deadline = machine.deadline else { return }
        if let timer, timer.deadline <= deadline { return }
        timer?.job.cancel()
        let job = loop.schedule(at: deadline.nanoseconds) { [weak self] in
            guard let self else { return }
            timer = nil
            perform(machine.timerFired(now: now))
        }
        timer = (deadline, job)
    }

    private func start() {
        do throws(CommandProcess.SpawnFailure) {
            let life = CommandLife(try CommandProcess(settings.run, on: loop), on: loop)
            self.life = life
            tap?(.connected)
            perform(machine.started(now: now))
            watchOutput()
            life.watchErrors { [weak self] in self?.receiveErrors() }
        } catch {
            perform(machine.startFailed(errno: error.errno, now: now, random: .random(in: 0..<1)))
        }
    }

    private func end(isWanted: Bool) {
        guard let life else { return }
        self.life = nil
        tap?(.disconnected)
        life.end(isWanted: isWanted) { [weak self] exit in
            guard let self, isWanted, self.life == nil else { return }
            perform(machine.ended(exit, now: now, random: .random(in: 0..<1)))
        }
    }

    // MARK: Reading

    private func watchOutput() {
        if !isPaused { life?.watchOutput { [weak self] in self?.receive() } }
    }

    private func receive() {
        guard let life else { return }
        switch life.fillOutput(tap) {
        case .some: readLines()
        case .none: break
        case .end:
            readLines()
            end(isWanted: true)
        }
    }

    /// Hands the buffered lines on until the consumer pauses or the program is ended.
    private func readLines() {
        let (now, utc) = (now, LoopScheduler(loop).utcNow)
        while !isPaused, let life, let line = life.nextLine() {
            perform(life.withOutput(line) { machine.read($0, now: now, utc: utc) })
        }
    }

    private func receiveErrors() {
        guard let life else { return }
        let now = now
        life.readErrors { line in
            if let notice = machine.complained(line, now: now).notice { notify(notice) }
        }
    }
}

/// Carries a life to its loop.
///
/// `@unchecked Sendable`: made where nobody else holds the life any more, and opened on the life's loop alone.
private struct Remains: @unchecked Sendable {
    let life: CommandLife
}
