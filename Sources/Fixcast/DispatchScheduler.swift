public import Dispatch
public import Positioning
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The scheduler for apps: callbacks come on a serial dispatch queue, for example the main queue.
public final class DispatchScheduler: ProviderScheduler {
    private let queue: DispatchQueue
    private let mark = DispatchSpecificKey<Bool>()

    /// - Parameter queue: a serial queue.
    public init(queue: DispatchQueue) {
        self.queue = queue
        queue.setSpecific(key: mark, value: true)
    }

    /// A scheduler on a queue of its own.
    public convenience init(label: String = "Fixcast") { self.init(queue: DispatchQueue(label: label)) }

    public var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }

    public var now: MonotonicInstant {
        #if os(Linux)
        return MonotonicInstant(nanoseconds: nanoseconds(CLOCK_BOOTTIME))
        #else
        return MonotonicInstant(nanoseconds: nanoseconds(CLOCK_MONOTONIC))
        #endif
    }

    public var utcNow: UTCInstant? {
        ClockTrust.trusted(UTCInstant(milliseconds: nanoseconds(CLOCK_REALTIME) / 1_000_000))
    }

    public func enqueue(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }

    public func schedule(
        at deadline: MonotonicInstant, _ job: @escaping @Sendable () -> Void
    ) -> any ScheduledJob {
        let scheduled = DispatchJob(job)
        arm(scheduled, deadline)
        return scheduled
    }

    /// Waits in steps: the queue's own clock stands still while the host is suspended, and ours does not.
    private func arm(_ job: DispatchJob, _ deadline: MonotonicInstant) {
        let step = min(max(deadline - now, .zero), .seconds(30))
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(step.wholeNanoseconds))) { [self] in
            if job.isCancelled { return }
            if now >= deadline { job.fire() } else { arm(job, deadline) }
        }
    }
}

private final class DispatchJob: ScheduledJob {
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

private func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
