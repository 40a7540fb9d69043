internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// One thread with one `poll`: descriptors, timers, jobs from other threads and signals, in the order they come.
///
/// Sendable because everything but ``execute(_:)``, ``stop()``, ``isOnLoop`` and the clock is confined to the thread
/// in ``run()`` (before it, to the one that sets the loop up), which `assertOnLoop` checks; jobs from other threads
/// pass through a mutex.
public final class EventLoop: @unchecked Sendable {
    struct Inbox {
        var jobs: [@Sendable () -> Void] = []
        var isStopping = false
        var isAwake = false
    }

    private let inbox = Mutex(Inbox())
    /// The thread in ``run()``.
    private let thread = Mutex<pthread_t?>(nil)
    private let wakeUp: Pipe
    var timers = TimerHeap()
    private var watches: [Watch] = []
    private var descriptors: [pollfd] = []
    private var descriptorsAreStale = true
    var signalHandlers: [Int32: () -> Void] = [:]

    /// Throws ``EventLoopError`` when the process has no descriptors left.
    public init() throws(EventLoopError) {
        wakeUp = try Pipe()
        ignoreBrokenPipes()
    }

    // MARK: Clock

    /// Nanoseconds of the monotonic clock that keeps counting while the host is suspended.
    public static func now() -> Int64 {
        var time = timespec()
        #if os(Linux)
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        #else
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Milliseconds of the wall clock since the Unix epoch, trusted or not.
    public static func wallClock() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    // MARK: From any thread

    /// Whether the caller is on the thread that serves the loop; false before ``run()`` and after it.
    public var isOnLoop: Bool { runner.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    private var runner: pthread_t? { thread.withLock { $0 } }

    /// Runs `job` on the loop, after what is due already; never inside the call.
    public func execute(_ job: @escaping @Sendable () -> Void) {
        let mustWake = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isAwake = true }
            return !inbox.isAwake
        }
        if mustWake { wakeUp.signal() }
    }

    /// Makes ``run()`` return after the jobs enqueued so far.
    public func stop() {
        inbox.withLock { $0.isStopping = true }
        wakeUp.signal()
    }

    // MARK: On the loop

    func assertOnLoop() { precondition(runner == nil || isOnLoop, "only on the event loop's thread") }

    /// Watches a descriptor; the caller keeps and closes it. `handler` is called while it is ready.
    public func watch(
        _ descriptor: Int32, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
    ) -> Watch {
        assertOnLoop()
        let watch = Watch(descriptor, interest, handler, loop: self)
        watches.append(watch)
        descriptorsAreStale = true
        return watch
    }

    func watchesChanged() { descriptorsAreStale = true }

    func remove(_ watch: Watch) {
        watches.removeAll { $0 === watch }
        descriptorsAreStale = true
    }

    /// Runs `job` once `deadline` (of ``now()``) has passed.
    @discardableResult
    public func schedule(at deadline: Int64, _ job: @escaping () -> Void) -> LoopTimer {
        assertOnLoop()
        let timer = LoopTimer(deadline, job)
        timers.insert(timer)
        return timer
    }

    /// Serves the calling thread until ``stop()``.
    public func run() {
        thread.withLock { $0 = pthread_self() }
        while true {
            runJobs()
            runTimers()
            if inbox.withLock({ $0.isStopping && $0.jobs.isEmpty }) { break }
            wait()
        }
        inbox.withLock { $0.isStopping = false }
        thread.withLock { $0 = nil }
    }

    private func runJobs() {
        let jobs = inbox.withLock { inbox in
            defer {
                inbox.jobs.removeAll(keepingCapacity: inbox.jobs.count < 64)
                inbox.isAwake = false
            }
            return inbox.jobs
        }
        for job in jobs { job() }
    }

    private func runTimers() {
        guard timers.nextDeadline != nil else { return }
        let now = EventLoop.now()
        while let timer = timers.popDue(now) { timer.fire() }
    }

    private func timeout() -> Int32 {
        if inbox.withLock({ !$0.jobs.isEmpty || $0.isStopping }) { return 0 }
        guard let deadline = timers.nextDeadline else { return -1 }
        let left = deadline - EventLoop.now()
        // Rounded up, so that the loop does not spin through the last fraction of a millisecond.
        return left <= 0 ? 0 : Int32(clamping: (left + 999_999) / 1_000_000)
    }

    private func wait() {
        if descriptorsAreStale {
            descriptors.removeAll(keepingCapacity: true)
            descriptors.append(pollfd(fd: wakeUp.reading, events: Int16(POLLIN), revents: 0))
            for watch in watches {
                descriptors.append(pollfd(fd: watch.descriptor, events: watch.interest.pollEvents, revents: 0))
            }
            descriptorsAreStale = false
        }
        let served = watches
        let ready = unsafe poll(&descriptors, nfds_t(descriptors.count), timeout())
        guard ready > 0 else { return }
        if descriptors[0].revents != 0 {
            wakeUp.drain()
            runSignals()
        }
        for (index, watch) in served.enumerated() {
            let events = descriptors[index + 1].revents
            if events != 0, !watch.isCancelled { watch.handler(Readiness(pollEvents: events)) }
        }
    }

    private func runSignals() {
        guard !signalHandlers.isEmpty else { return }
        for signal in SignalMailbox.take() { signalHandlers[signal]?() }
    }

    /// Calls `handler` on the loop when the process receives `signal`; one loop per process serves signals.
    public func onSignal(_ signal: Int32, _ handler: @escaping () -> Void) {
        assertOnLoop()
        signalHandlers[signal] = handler
        SignalMailbox.install(signal, wakingUp: wakeUp.writing)
    }
}

private func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
