public import Positioning
internal import Synchronization

/// A ``ProviderScheduler`` whose clocks stand still until told: jobs run inside ``runPending()`` and ``advance(by:)``
/// only, one at a time, in the order in which they were enqueued or fell due.
///
/// Everything may be called from any thread; two that run jobs at once take turns. Running jobs from inside a job is a
/// programming error and traps.
public final class ManualScheduler: ProviderScheduler {
    private struct Entry {
        var deadline: MonotonicInstant
        var timer: Timer
    }

    private struct State {
        var now: MonotonicInstant
        var utc: UTCInstant?
        var jobs: [@Sendable () -> Void] = []
        /// How many of ``jobs`` have run.
        var done = 0
        /// By deadline, those of one deadline in the order in which they were made.
        var timers: [Entry] = []
    }

    private final class Timer: ScheduledJob {
        private let job: Mutex<(@Sendable () -> Void)?>

        init(_ job: @escaping @Sendable () -> Void) { self.job = Mutex(job) }

        var isCancelled: Bool { job.withLock { $0 == nil } }
        func cancel() { job.withLock { $0 = nil } }

        func fire() {
            let job = job.withLock { job in
                defer { job = nil }
                return job
            }
            job?()
        }
    }

    /// More jobs than any test needs without the clock moving: a job that enqueues itself for ever.
    private static let jobLimit = 1_000_000

    private let state: Mutex<State>
    private let turn = Mutex(())
    private let runner = ThreadIdentity()

    /// - Parameters:
    ///   - now: where the monotonic clock stands.
    ///   - utcNow: where the wall clock stands; `nil`: it cannot be trusted.
    public init(
        now: MonotonicInstant = MonotonicInstant(nanoseconds: 1_000_000_000_000),
        utcNow: UTCInstant? = UTCInstant(milliseconds: 1_796_010_000_000)
    ) {
        state = Mutex(State(now: now, utc: utcNow))
    }

    public var isCurrent: Bool { runner.isCurrent }
    public var now: MonotonicInstant { state.withLock { $0.now } }
    public var utcNow: UTCInstant? { state.withLock { $0.utc } }

    /// The deadline of the first timer that was not cancelled.
    public var nextDeadline: MonotonicInstant? {
        state.withLock { $0.timers.first { !$0.timer.isCancelled }?.deadline }
    }

    /// Steps the wall clock, or with `nil` makes it untrusted; the monotonic clock and the timers stay as they are.
    public func setWallClock(_ utc: UTCInstant?) { state.withLock { $0.utc = utc } }

    public func enqueue(_ job: @escaping @Sendable () -> Void) { state.withLock { $0.jobs.append(job) } }

    public func schedule(
        at deadline: MonotonicInstant, _ job: @escaping @Sendable () -> Void
    ) -> any ScheduledJob {
        let timer = Timer(job)
        state.withLock { state in
            let place = state.timers.firstIndex { $0.deadline > deadline } ?? state.timers.endIndex
            state.timers.insert(Entry(deadline: deadline, timer: timer), at: place)
        }
        return timer
    }

    /// Runs what is enqueued and what is due now, and what these enqueue in turn; returns how many jobs ran.
    @discardableResult public func runPending() -> Int { inTurn { runDue() } }

    /// Moves both clocks forward, stopping at each deadline on the way to run what is due there.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "a monotonic clock never goes back")
        inTurn {
            let end = now + duration
            _ = runDue()
            while let deadline = nextDeadline, deadline <= end {
                move(to: deadline)
                _ = runDue()
            }
            move(to: end)
        }
    }

    private func inTurn<R: Sendable>(_ body: () -> R) -> R {
        precondition(!isCurrent, "a job cannot run the scheduler that runs it")
        return turn.withLock { _ in runner.during(body) }
    }

    private func move(to instant: MonotonicInstant) {
        state.withLock { state in
            guard instant > state.now else { return }
            state.utc = state.utc.map { $0 + (instant - state.now) }
            state.now = instant
        }
    }

    private func runDue() -> Int {
        var count = 0
        while let job = takeNext() {
            job()
            count += 1
            precondition(count < Self.jobLimit, "jobs enqueue each other without end")
        }
        return count
    }

    private func takeNext() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.done < state.jobs.count {
                state.done += 1
                return state.jobs[state.done - 1]
            }
            state.jobs.removeAll(keepingCapacity: true)
            state.done = 0
            guard let first = state.timers.first, first.deadline <= state.now else { return nil }
            state.timers.removeFirst()
            return first.timer.fire
        }
    }
}
