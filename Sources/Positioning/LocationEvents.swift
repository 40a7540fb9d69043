internal import Synchronization

/// The events of a provider as one asynchronous sequence (SEMANTICS rule 8).
///
/// It occupies both callback slots from the moment it is made; overwriting them finishes it. A consumer slower than
/// the source loses intermediate positions, of which the newest is kept, but never a change of availability. Ending
/// the iteration, by cancellation or by dropping the iterator, disables tracking.
public struct LocationEvents: AsyncSequence, Sendable {
    public typealias Element = ProviderEvent
    public typealias Failure = Never

    private let buffer: Buffer
    private let provider: any LocationProvider

    fileprivate init(_ provider: any LocationProvider) {
        let buffer = Buffer()
        // Both closures share the token: when the slots are overwritten it goes away and finishes the sequence.
        let token = Token(buffer)
        provider.setCallbacks(
            locationCallback: { token.buffer.append(.location($0)) },
            availabilityCallback: { token.buffer.append(.availability($0)) })
        self.buffer = buffer
        self.provider = provider
    }

    public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer, provider: provider) }

    /// Hands out the buffered events one by one; single consumer.
    public final class Iterator: AsyncIteratorProtocol {
        private let buffer: Buffer
        private let provider: any LocationProvider

        fileprivate init(buffer: Buffer, provider: any LocationProvider) {
            self.buffer = buffer
            self.provider = provider
        }

        deinit { release(buffer, provider) }

        public func next(isolation actor: isolated (any Actor)? = #isolation) async -> ProviderEvent? {
            let (buffer, provider) = (buffer, provider)
            return await withTaskCancellationHandler {
                await withCheckedContinuation { buffer.wait($0) }
            } onCancel: {
                release(buffer, provider)
            }
        }
    }

    fileprivate final class Buffer: Sendable {
        struct State {
            var events: [ProviderEvent] = []
            var waiter: CheckedContinuation<ProviderEvent?, Never>?
            var isFinished = false
        }

        private let state = Mutex(State())

        func append(_ event: ProviderEvent) {
            let waiter = state.withLock { state -> CheckedContinuation<ProviderEvent?, Never>? in
                if state.isFinished { return nil }
                if let waiter = state.waiter {
                    state.waiter = nil
                    return waiter
                }
                if case .location = event, case .location? = state.events.last { state.events.removeLast() }
                state.events.append(event)
                return nil
            }
            waiter?.resume(returning: event)
        }

        func wait(_ continuation: CheckedContinuation<ProviderEvent?, Never>) {
            let answer = state.withLock { state -> ProviderEvent?? in
                if !state.events.isEmpty { return .some(state.events.removeFirst()) }
                if state.isFinished { return .some(nil) }
                precondition(state.waiter == nil, "LocationEvents has a single consumer")
                state.waiter = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }

        /// Ends the sequence; returns false when it already had.
        func finish() -> Bool {
            let (first, waiter) = state.withLock { state in
                defer {
                    state.isFinished = true
                    state.waiter = nil
                }
                return (!state.isFinished, state.waiter)
            }
            waiter?.resume(returning: nil)
            return first
        }
    }

    fileprivate final class Token: Sendable {
        let buffer: Buffer
        init(_ buffer: Buffer) { self.buffer = buffer }
        deinit { _ = buffer.finish() }
    }
}

/// Gives the slots back, unless somebody else has overwritten them already.
private func release(_ buffer: LocationEvents.Buffer, _ provider: any LocationProvider) {
    if buffer.finish() { provider.setCallbacks(locationCallback: nil, availabilityCallback: nil) }
}

extension LocationProvider {
    /// The provider's events as an asynchronous sequence; making it occupies both callback slots.
    public func events() -> LocationEvents { LocationEvents(self) }
}
