public import Positioning
internal import Synchronization

/// Shows the current position at a steady pace (S3's navigation loop, SEMANTICS rule 15): at each interval it takes the
/// current position and hands it to its observers, in the order in which they were added. A tick without a position,
/// or whose position cannot be had, is skipped.
///
/// Everything may be called from any thread; observers are called on the scheduler.
public final class PositionLoop: Sendable {
    private struct State {
        var machine: PositionLoopMachine
        var job: (any ScheduledJob)?
        /// Counts starts and stops: a tick of an earlier run is none.
        var run: UInt64 = 0
        var observers: [any PositionObserver] = []
    }

    private let scheduler: any ProviderScheduler
    private let position: @Sendable () throws -> Location?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - scheduler: whose clock paces the loop.
    ///   - interval: between two ticks, above zero; the first comes one interval after ``start()``.
    ///   - position: the current position, called on the scheduler: ``PushLocationProvider/currentPosition`` or any
    ///     provider's ``Positioning/LocationProvider/lastLocation``.
    public init(
        scheduler: any ProviderScheduler, interval: Duration = .seconds(1),
        position: @escaping @Sendable () throws -> Location?
    ) {
        self.scheduler = scheduler
        self.position = position
        state = Mutex(State(machine: PositionLoopMachine(interval: interval)))
    }

    /// Adds an observer behind the others, and holds it; one that is there stays where it is.
    public func add(_ observer: any PositionObserver) {
        state.withLock { state in
            if !state.observers.contains(where: { $0 === observer }) { state.observers.append(observer) }
        }
    }

    /// Takes an observer out. Called on the scheduler, it is not called any more; from elsewhere, a call that is under
    /// way ends.
    public func remove(_ observer: any PositionObserver) {
        state.withLock { $0.observers.removeAll { $0 === observer } }
    }

    /// Begins to tick; a running loop goes on.
    public func start() {
        let run = state.withLock { state -> UInt64? in
            guard state.machine.deadline == nil else { return nil }
            state.machine.start(now: scheduler.now)
            state.run += 1
            return state.run
        }
        if let run { scheduler.enqueue { [weak self] in self?.arm(run) } }
    }

    /// Ends the ticking; ``start()`` begins anew. Idempotent.
    public func stop() {
        let run = state.withLock { state in
            state.machine.stop()
            state.run += 1
            return state.run
        }
        scheduler.enqueue { [weak self] in self?.disarm(run) }
    }

    private func arm(_ run: UInt64) {
        guard let deadline = state.withLock({ $0.run == run ? $0.machine.deadline : nil }) else { return }
        let job = scheduler.schedule(at: deadline) { [weak self] in self?.tick(run) }
        state.withLock { $0.job = job }
    }

    private func disarm(_ run: UInt64) {
        state.withLock { state -> (any ScheduledJob)? in
            guard state.run == run else { return nil }
            defer { state.job = nil }
            return state.job
        }?.cancel()
    }

    private func tick(_ run: UInt64) {
        guard state.withLock({ $0.run == run && $0.machine.isDue(now: scheduler.now) }) else { return }
        // A source that cannot say where it is skips the tick.
        if let position = (try? position()) ?? nil {
            let current = PositionLoopMachine.dispatched(position)
            for observer in state.withLock({ $0.observers }) {
                let isObserver = state.withLock { state in
                    state.run == run && state.observers.contains { $0 === observer }
                }
                if isObserver { observer.update(current) }
            }
        }
        arm(run)
    }
}
