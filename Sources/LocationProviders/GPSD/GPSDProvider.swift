public import EventLoop
public import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Positions from gpsd over TCP: connects, asks to watch, and connects again whenever that ends.
///
/// ``lastLocation`` asks the daemon, as S1 wants it. While somebody tracks, gpsd tells each news at once, and was asked
/// for what it knew when the connection began: so the last position known here is the daemon's. While nobody tracks,
/// reading it asks over a connection of its own and waits for the answer, for ``GPSDSettings/inquiryTimeout`` at most
/// and not twice a second; on the loop's own thread, which must not wait, it is what is known.
///
/// `@unchecked Sendable`: `slots`, `loop`, `settings`, `common`, `inquirer` and `notify` never change and are Sendable themselves; everything
/// else is touched on the loop's thread alone, by what `slots` calls there, by the loop's watches and timers, and by
/// ``setPaused(_:)``, which is documented to be called there.
public final class GPSDProvider: PausableLocationProvider, @unchecked Sendable {
    /// What gpsd is asked, to the byte.
    private static let request = #"?WATCH={"enable":true,"json":true};"# + "\n?POLL;\n"

    private let slots: CallbackSlots
    private let loop: EventLoop
    private let settings: GPSDSettings
    private let common: CommonProviderSettings
    private let inquirer = GPSDInquirer()
    private let notify: @Sendable (ProviderNotice) -> Void
    private let tap: (@Sendable (RawStreamEvent) -> Void)?

    private var machine: GPSDMachine
    private let socket = LoopSocket()
    private var lines = LineSplitter()
    private var timer: (deadline: MonotonicInstant, job: LoopTimer)?
    private var isPaused = false

    /// - Parameters:
    ///   - notify: told each change of state on the loop, once.
    ///   - tap: told the raw stream on the loop, before it is understood.
    public init(
        loop: EventLoop, settings: GPSDSettings = GPSDSettings(),
        common: CommonProviderSettings = CommonProviderSettings(),
        notify: @escaping @Sendable (ProviderNotice) -> Void = { _ in },
        tap: (@Sendable (RawStreamEvent) -> Void)? = nil
    ) {
        self.loop = loop
        self.settings = settings
        self.common = common
        self.notify = notify
        self.tap = tap
        slots = CallbackSlots(scheduler: LoopScheduler(loop))
        machine = GPSDMachine(settings: settings, common: common)
    }

    /// Dropped while open, it leaves nothing behind on the loop.
    deinit { loop.execute { [socket] in socket.close() } }

    public var lastLocation: Location? {
        if !slots.isActive, !loop.isOnLoop {
            inquirer.wait(timeout: settings.inquiryTimeout) {
                loop.execute { [weak self] in self?.inquire() }
            }
        }
        return slots.lastLocation
    }

    public var isPacedByConsumer: Bool { false }

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            guard let self else { return }
            perform(isActive ? machine.start() : machine.stop())
        }
    }

    /// Does nothing: gpsd's protocol cannot ask a receiver for more (rule 9).
    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {}

    public func setPaused(_ paused: Bool) {
        guard paused != isPaused else { return }
        isPaused = paused
        machine.setPaused(paused, now: now)
        if paused {
            socket.unwatch()
        } else {
            loop.execute { [weak self] in self?.resume() }
        }
        arm()
    }

    /// What was read before the pause waits in the buffer and comes first.
    private func resume() {
        readLines()
        watchSocket()
    }

    private func watchSocket() {
        if !isPaused { socket.watch(on: loop) { [weak self] in self?.receive() } }
    }

    private var now: MonotonicInstant { MonotonicInstant(nanoseconds: EventLoop.now()) }

    // MARK: Acting

    private func perform(_ actions: GPSDMachine.Actions) {
        if let earlier = actions.earlier { slots.deliver(earlier) }
        if let availability = actions.availability { slots.report(availability) }
        if let location = actions.location { slots.deliver(location) }
        if let remembered = actions.remembered { remember(remembered) }
        if let notice = actions.notice { notify(notice) }
        if let warning = actions.warning { notify(warning) }
        switch actions.command {
        case nil: break
        case .connect: connect()
        case .watch: sendRequest()
        case .disconnect: disconnect()
        }
        arm()
    }

    /// What is known and newer stays.
    private func remember(_ location: Location) {
        if let known = slots.lastLocation?.timestamp, let time = location.timestamp, known > time { return }
        var stamped = location
        stamped.unreliable = location.unreliability(while: slots.availability)
        slots.remember(stamped)
    }

    private func inquire() {
        GPSDInquiry(
            loop: loop, settings: settings, accuracy: common.gpsdAccuracy, device: machine.preferredDevice
        ) { [weak self, inquirer] location in
            if let self, var location {
                common.assumption.apply(to: &location)
                remember(location)
            }
            inquirer.answered()
        }.start()
    }

    /// One timer at the machine's deadline, or earlier: deadlines move on with every report, the timer only when it
    /// fires.
    private func arm() {
        guard let deadline = machine.deadline else { return }
        if let timer, timer.deadline <= deadline { return }
        timer?.job.cancel()
        let job = loop.schedule(at: deadline.nanoseconds) { [weak self] in
            guard let self else { return }
            timer = nil
            perform(machine.timerFired(now: now, random: .random(in: 0..<1)))
        }
        timer = (deadline, job)
    }

    private func connect() {
        let connector = TCPConnector(
            loop: loop, host: settings.host, port: settings.port, timeout: settings.connectTimeout.wholeNanoseconds
        ) { [weak self] result in
            guard let self else {
                if case .success(let descriptor) = result { closeDescriptor(descriptor) }
                return
            }
            switch result {
            case .success(let descriptor):
                socket.connected(descriptor)
                tap?(.connected)
                watchSocket()
                perform(machine.connected(now: now))
            case .failure(let failure):
                socket.connectFailed()
                perform(machine.connectFailed(failure, now: now, random: .random(in: 0..<1)))
            }
        }
        socket.connect(connector)
    }

    private func disconnect() {
        if socket.descriptor >= 0 { tap?(.disconnected) }
        socket.close()
        // Half a line of this connection is no beginning for the next.
        lines.reset()
    }

    private func lost() { perform(machine.disconnected(now: now, random: .random(in: 0..<1))) }

    private func sendRequest() {
        let request = [UInt8](Self.request.utf8)
        // A fresh socket takes so few bytes at once, or it is broken.
        if unsafe write(socket.descriptor, request, request.count) != request.count { lost() }
    }

    // MARK: Reading

    private func receive() {
        let descriptor = socket.descriptor
        guard descriptor >= 0 else { return }
        let count = unsafe lines.fill { free in
            let count = unsafe read(descriptor, free.baseAddress, free.count)
            if count > 0, let tap { unsafe tap(.bytes([UInt8](free[..<count]))) }
            return count
        }
        if count > 0 {
            machine.received(now: now)
            readLines()
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            lost()
        }
    }

    /// Hands the buffered lines on until the consumer pauses or the connection ends.
    private func readLines() {
        let now = now
        while !isPaused, socket.descriptor >= 0, let line = lines.nextLine() {
            let bytes = lines.bytes.span
            guard bytes[line.lowerBound] == UInt8(ascii: "{"),
                let message = try? GPSDMessage.read(bytes.extracting(line))
            else { continue }
            perform(machine.read(message, now: now))
        }
    }
}
