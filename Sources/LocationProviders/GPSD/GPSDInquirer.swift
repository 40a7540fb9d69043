internal import EventLoop
internal import Positioning
internal import Synchronization

/// Lets threads wait for the answer of one ``GPSDInquiry`` at a time; a fresh answer serves for a while.
final class GPSDInquirer: Sendable {
    /// An answer younger than this is not asked for again: who reads in a loop does not connect in one.
    static let freshness: Int64 = 1_000_000_000

    private struct State {
        var isAsking = false
        var answered: Int64?
        var waiting: [Latch] = []
    }

    private let state = Mutex(State())

    /// Waits until the question that `begin` asks is answered, or for `timeout`. Not on the loop.
    ///
    /// - Parameter begin: to start the question, whose end is told by ``answered()``.
    func wait(timeout: Duration, begin: () -> Void) {
        guard let latch = try? Latch() else { return }
        let isFirst = state.withLock { state -> Bool? in
            if let answered = state.answered, EventLoop.now() - answered < Self.freshness { return nil }
            state.waiting.append(latch)
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard let isFirst else { return }
        if isFirst { begin() }
        if latch.wait(milliseconds: timeout.wholeMilliseconds) { return }
        // A loop that does not run answers later or never: it is given time before it is waited for again.
        state.withLock { state in
            state.answered = EventLoop.now()
            state.waiting.removeAll { $0 === latch }
        }
    }

    /// The question was answered, or never will be.
    func answered() {
        let waiting = state.withLock { state in
            defer { state = State(answered: EventLoop.now()) }
            return state.waiting
        }
        for latch in waiting { latch.open() }
    }
}
