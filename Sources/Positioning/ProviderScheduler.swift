/// Where a provider lives: one serial context with timers and clocks, injected so that providers are testable with a
/// manual clock. Jobs run one at a time, in the order in which they were enqueued or fell due.
public protocol ProviderScheduler: AnyObject, Sendable {
    /// Whether the caller runs on this context now.
    var isCurrent: Bool { get }

    /// The monotonic clock; callable from any thread.
    var now: MonotonicInstant { get }

    /// The wall clock, or `nil` while it cannot be trusted (a host without a battery-backed clock after boot).
    var utcNow: UTCInstant? { get }

    /// Runs `job` later on this context, never inside the call.
    func enqueue(_ job: @escaping @Sendable () -> Void)

    /// Runs `job` on this context once `deadline` has passed, unless cancelled before.
    func schedule(at deadline: MonotonicInstant, _ job: @escaping @Sendable () -> Void) -> any ScheduledJob
}

/// A timer that can be taken back.
public protocol ScheduledJob: Sendable {
    /// Prevents the job from running. Idempotent; called on the scheduler's context, it holds at once.
    func cancel()
}
