public import EventLoop
public import Positioning

/// The providers' serial context on an ``EventLoop``.
///
/// Sendable because it holds the loop alone, whose ``EventLoop/execute(_:)`` and ``EventLoop/isOnLoop`` are callable
/// from any thread; timers are set on the loop only, which the loop checks.
public final class LoopScheduler: ProviderScheduler {
    public let loop: EventLoop

    public init(_ loop: EventLoop) { self.loop = loop }

    public var isCurrent: Bool { loop.isOnLoop }

    public var now: MonotonicInstant { MonotonicInstant(nanoseconds: EventLoop.now()) }

    public var utcNow: UTCInstant? { ClockTrust.trusted(UTCInstant(milliseconds: EventLoop.wallClock())) }

    public func enqueue(_ job: @escaping @Sendable () -> Void) { loop.execute(job) }

    public func schedule(at deadline: MonotonicInstant, _ job: @escaping @Sendable () -> Void) -> any ScheduledJob {
        LoopJob(loop.schedule(at: deadline.nanoseconds, job))
    }
}

/// A loop's timer as a provider sees it.
///
/// `@unchecked Sendable`: the timer is touched by ``cancel()`` alone, which providers call on their scheduler's
/// context, and that is the timer's loop.
private final class LoopJob: ScheduledJob, @unchecked Sendable {
    private let timer: LoopTimer

    init(_ timer: LoopTimer) { self.timer = timer }

    func cancel() { timer.cancel() }
}
