internal import Positioning
internal import Synchronization

/// An asynchronous consumer of a provider's events, which starts when told.
final class EventCollector: Sendable {
    private struct State {
        var sequence: LocationEvents?
        var task: Task<Void, Never>?
        var events: [ProviderEvent] = []
        var isFinished = false
    }

    private let state: Mutex<State>

    init(_ sequence: LocationEvents) { state = Mutex(State(sequence: sequence)) }

    var events: [ProviderEvent] { state.withLock { $0.events } }
    var isFinished: Bool { state.withLock { $0.isFinished } }

    func start() {
        state.withLock { state in
            guard let sequence = state.sequence else { return }
            state.sequence = nil
            state.task = Task { [self] in
                for await event in sequence { self.state.withLock { $0.events.append(event) } }
                self.state.withLock { $0.isFinished = true }
            }
        }
    }

    func cancel() { state.withLock { $0.task }?.cancel() }
}
