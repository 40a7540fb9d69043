public import EventLoop
public import Positioning

/// Positions from a receiver that speaks NMEA 0183 over a serial port, TCP, UDP, a file or the standard input; opens
/// the source again whenever it goes away.
///
/// `@unchecked Sendable`: the constants are Sendable themselves; everything else is touched on the loop's thread alone,
/// by what `slots` calls there, by the loop's watches and timers, and by ``setPaused(_:)``, which is documented to be
/// called there.
public final class NMEAProvider: PausableLocationProvider, @unchecked Sendable {
    /// Datagrams between two looks at the rest of the loop's work.
    private static let batch = 16

    private let slots: CallbackSlots
    private let loop: EventLoop
    private let notify: @Sendable (ProviderNotice) -> Void
    private let tap: (@Sendable (RawStreamEvent) -> Void)?
    private let source: ByteSource
    /// A file waits for the pipeline; a receiver waits for nobody.
    public let isPacedByConsumer: Bool

    private var machine: NMEAMachine
    private let streams: NMEAStreams
    private var datagram: [UInt8] = []
    /// What a line completed; empty between two lines.
    private var epochs: [NMEAEpoch] = []
    private var timer: (deadline: MonotonicInstant, job: LoopTimer)?
    private var isPaused = false
    private var isAtEnd = false

    /// - Parameters:
    ///   - notify: told each change of state on the loop, once.
    ///   - tap: told the raw stream on the loop, before it is understood.
    public init(
        loop: EventLoop, settings: NMEASettings, common: CommonProviderSettings = CommonProviderSettings(),
        notify: @escaping @Sendable (ProviderNotice) -> Void = { _ in },
        tap: (@Sendable (RawStreamEvent) -> Void)? = nil
    ) {
        self.loop = loop
        self.notify = notify
        self.tap = tap
        slots = CallbackSlots(scheduler: LoopScheduler(loop))
        let source = ByteSource(settings.source, loop: loop, timeout: settings.connectTimeout.wholeNanoseconds)
        self.source = source
        isPacedByConsumer = source.kind == .file
        machine = NMEAMachine(settings: settings, common: common)
        streams = NMEAStreams {
            NMEAEpochReader(uere: common.uere, dates: source.kind == .file ? .asRecorded : .live)
        }
        if source.kind == .datagrams { datagram = [UInt8](repeating: 0, count: DatagramSocket.longest) }
    }

    /// Dropped while open, it leaves nothing behind on the loop.
    deinit { loop.execute { [source] in source.close() } }

    public var lastLocation: Location? { slots.lastLocation }

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            guard let self else { return }
            perform(isActive ? machine.start() : machine.stop())
        }
    }

    /// Does nothing: NMEA 0183 has no sentence that asks a receiver for more (rule 9).
    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {}

    public func setPaused(_ paused: Bool) {
        guard paused != isPaused else { return }
        isPaused = paused
        machine.setPaused(paused, now: now)
        if paused {
            source.unwatch()
        } else {
            loop.execute { [weak self] in self?.resume() }
        }
        arm()
    }

    private var now: MonotonicInstant { MonotonicInstant(nanoseconds: EventLoop.now()) }

    /// The clock that dates what comes now; for a file, when it was written.
    private var utc: UTCInstant? {
        source.modified ?? ClockTrust.trusted(UTCInstant(milliseconds: EventLoop.wallClock()))
    }

    // MARK: Acting

    private func perform(_ actions: NMEAMachine.Actions) {
        if let availability = actions.availability { slots.report(availability) }
        if let location = actions.location { slots.deliver(location) }
        if let notice = actions.notice { notify(notice) }
        switch actions.command {
        case nil: break
        case .open(let rate): open(rate)
        case .close: close()
        case .setRate(let rate): setRate(rate)
        }
        arm()
    }

    /// One timer at the first deadline, or earlier: deadlines move on with every sentence, the timer only when it fires.
    private func arm() {
        let epochEnd = isPaused || source.kind == .file ? nil : streams.deadline
        guard let deadline = [machine.deadline, epochEnd].compactMap(\.self).min() else { return }
        if let timer, timer.deadline <= deadline { return }
        timer?.job.cancel()
        let job = loop.schedule(at: deadline.nanoseconds) { [weak self] in
            guard let self else { return }
            timer = nil
            deadlinePassed()
        }
        timer = (deadline, job)
    }

    private func deadlinePassed() {
        // What came while the loop was busy belongs to the epoch before it is ended.
        if !isPaused, source.hasInput { receive() }
        endEpochs()
        perform(machine.timerFired(now: now, random: .random(in: 0..<1)))
    }

    private func endEpochs() {
        guard !isPaused, source.kind != .file else { return }
        let (now, utc) = (now, utc)
        for stream in streams.all {
            guard let epoch = stream.deadlinePassed(now: now, utc: utc) else { continue }
            perform(machine.read(epoch, from: stream.id, now: now))
        }
    }

    private func open(_ rate: BaudRate?) {
        isAtEnd = false
        source.open(rate: rate) { [weak self] failure in
            guard let self else { return }
            if let failure {
                perform(machine.openFailed(failure, now: now, random: .random(in: 0..<1)))
            } else {
                tap?(.connected)
                watchSource()
                perform(machine.opened(now: now))
            }
        }
    }

    private func close() {
        if source.isOpen { tap?(.disconnected) }
        source.close()
        streams.reset()
    }

    private func setRate(_ rate: BaudRate) {
        // What came at the old rate means nothing.
        streams.reset()
        source.setRate(rate)
    }

    private func lost() {
        finishEpochs()
        perform(machine.lost(now: now, random: .random(in: 0..<1)))
    }

    // MARK: Reading

    private func watchSource() {
        if !isPaused { source.watch { [weak self] in self?.receive() } }
    }

    /// What was read before the pause waits in the buffers and comes first.
    private func resume() {
        let (now, utc) = (now, utc)
        for stream in streams.all { readLines(stream, now, utc) }
        finishFile()
        watchSource()
    }

    private func receive() {
        guard source.isOpen else { return }
        source.kind == .datagrams ? receiveDatagrams() : receiveBytes()
    }

    private func receiveBytes() {
        let stream = streams.stream()
        var reading = ByteSource.Reading.nothing
        let count = unsafe stream.fill { free in
            reading = unsafe source.read(into: free)
            guard case .bytes(let count) = reading else { return 0 }
            if let tap { unsafe tap(.bytes([UInt8](free[..<count]))) }
            return count
        }
        switch reading {
        case .bytes: read(stream, count)
        case .nothing: break
        case .lost: lost()
        case .writerLeft:
            watchSource()
            finishEpochs()
            streams.reset()
            perform(machine.writerLeft(now: now))
        case .ended:
            isAtEnd = true
            finishFile()
        }
    }

    private func receiveDatagrams() {
        for _ in 0..<Self.batch {
            guard !isPaused else { return }
            guard let received = unsafe datagram.withUnsafeMutableBytes({ unsafe source.receive(into: $0) })
            else { return }
            let stream = streams.stream(of: received.sender)
            if let tap { tap(.bytes([UInt8](datagram[..<received.count]))) }
            stream.feed(datagram.span.extracting(0..<received.count))
            read(stream, received.count)
        }
    }

    private func read(_ stream: NMEAStream, _ count: Int) {
        let now = now
        readLines(stream, now, utc)
        perform(machine.received(bytes: count, sentences: stream.takeSentences(), now: now))
    }

    /// Hands the buffered lines on until the consumer pauses.
    private func readLines(_ stream: NMEAStream, _ now: MonotonicInstant, _ utc: UTCInstant?) {
        while !isPaused, let line = stream.nextLine() { readLine(line, of: stream, now, utc) }
    }

    /// Epochs are told after the line is read: a callback may ask for what the reader knows.
    private func readLine(_ line: Range<Int>, of stream: NMEAStream, _ now: MonotonicInstant, _ utc: UTCInstant?) {
        stream.read(line, now: now, utc: utc) { epochs.append($0) }
        for epoch in epochs { perform(machine.read(epoch, from: stream.id, now: now)) }
        epochs.removeAll(keepingCapacity: true)
    }

    /// At the end of a file, once everything before it was taken.
    private func finishFile() {
        guard isAtEnd, !isPaused else { return }
        isAtEnd = false
        let stream = streams.stream()
        if let line = stream.lastLine() { readLine(line, of: stream, now, utc) }
        finishEpochs()
        perform(machine.ended())
    }

    /// What is open is complete: nothing more comes.
    private func finishEpochs() {
        let (now, utc) = (now, utc)
        for stream in streams.all {
            if let epoch = stream.finish(utc: utc) { perform(machine.read(epoch, from: stream.id, now: now)) }
        }
    }
}
