internal import MessageTransport
internal import Positioning
internal import Synchronization

/// One receiver's part of a ``MessageRouter``, from its opening to its closing: the events of the link and one timer, both
/// on the receiver's scheduler. What was under way for an earlier opening is dropped.
final class RouterSession: Sendable {
    private struct State {
        var attachment: MessageRouter.Attachment?
        /// Counts openings.
        var opening: UInt64 = 0
        var isOpen = false
        var timer: (any ScheduledJob)?
        var deadline: MonotonicInstant?
    }

    private let router: MessageRouter
    private let scheduler: any ProviderScheduler
    private let state = Mutex(State())

    init(router: MessageRouter, scheduler: any ProviderScheduler) {
        self.router = router
        self.scheduler = scheduler
    }

    deinit {
        let (attachment, timer) = state.withLock { ($0.attachment, $0.timer) }
        attachment?.cancel()
        timer?.cancel()
    }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Subscribes; `handler` is called on the scheduler until ``close()``. On the scheduler only.
    func open(_ subscriptions: [Subscription], _ handler: @escaping @Sendable (TransportEvent) -> Void) {
        let opening = state.withLock { state in
            state.isOpen = true
            state.opening += 1
            return state.opening
        }
        let attachment = router.attach(subscriptions) { [weak self] event in self?.enqueue(event, opening, handler) }
        let mustCancel = state.withLock { state in
            // Closed again inside the call.
            guard state.isOpen, state.opening == opening else { return true }
            state.attachment = attachment
            return false
        }
        if mustCancel { attachment.cancel() }
    }

    /// On the scheduler only; idempotent.
    func close() {
        let (attachment, timer) = state.withLock { state in
            defer { (state.attachment, state.timer, state.deadline) = (nil, nil, nil) }
            state.isOpen = false
            return (state.attachment, state.timer)
        }
        timer?.cancel()
        attachment?.cancel()
    }

    /// Calls `fire` on the scheduler at `deadline`, unless another deadline or ``close()`` takes its place. On the
    /// scheduler only.
    func setTimer(_ wanted: MonotonicInstant?, _ fire: @escaping @Sendable () -> Void) {
        let (old, deadline) = state.withLock { state -> ((any ScheduledJob)?, MonotonicInstant?) in
            let deadline = state.isOpen ? wanted : nil
            guard deadline != state.deadline else { return (nil, nil) }
            defer { (state.timer, state.deadline) = (nil, deadline) }
            return (state.timer, deadline)
        }
        old?.cancel()
        guard let deadline else { return }
        let timer = scheduler.schedule(at: deadline) { [weak self] in self?.deadlinePassed(deadline, fire) }
        state.withLock { $0.timer = timer }
    }

    private func deadlinePassed(_ deadline: MonotonicInstant, _ fire: () -> Void) {
        let isCurrent = state.withLock { state in
            guard state.isOpen, state.deadline == deadline else { return false }
            (state.timer, state.deadline) = (nil, nil)
            return true
        }
        if isCurrent { fire() }
    }

    private func enqueue(
        _ event: TransportEvent, _ opening: UInt64, _ handler: @escaping @Sendable (TransportEvent) -> Void
    ) {
        // A transport on the scheduler's own context needs no detour; it is always there or never.
        if scheduler.isCurrent {
            take(event, opening, handler)
        } else {
            scheduler.enqueue { [weak self] in self?.take(event, opening, handler) }
        }
    }

    private func take(_ event: TransportEvent, _ opening: UInt64, _ handler: (TransportEvent) -> Void) {
        guard state.withLock({ $0.isOpen && $0.opening == opening }) else { return }
        handler(event)
    }
}
