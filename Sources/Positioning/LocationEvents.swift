internal import Synchronization

/// The events of a provider as one asynchronous sequence (SEMANTICS rule 8).
///
/// It occupies both callback slots from the moment it is made; overwriting them finishes it. A consumer slower than
/// the source loses intermediate positions, of which the newest is kept, but never a change of availability. Ending
/// the iteration, by cancellation or by dropping the iterator or a sequence never iterated, disables tracking.
public struct LocationEvents: AsyncSequence, Sendable {
    public typealias Element = ProviderEvent
    public typealias Failure = Never

    private let lease: Lease

    fileprivate init(_ provider: any LocationProvider) { lease = Lease(provider) }

    public func makeAsyncIterator() -> Iterator { Iterator(lease) }

    /// Hands out the buffered events one by one; single consumer.
    public final class Iterator: AsyncIteratorProtocol {
        private let lease: Lease

        fileprivate init(_ lease: Lease) { self.lease = lease }

        deinit { lease.end() }

        public func next(isolation actor: isolated (any Actor)? = #isolation) async -> ProviderEvent? {
            let lease = lease
            let event = await withTaskCancellationHandler {
                await withCheckedContinuation { lease.buffer.wait($0) }
            } onCancel: {
                // The runtime holds the task's own lock here, and a delivery that resumes the task waits for it: giving
                // the slots back, which waits for the delivery, must come later.
                lease.buffer.finish()
            }
            if event == nil { lease.end() }
            return event
        }
    }

    /// Holds the slots for as long as the sequence or its iterator lives.
    fileprivate final class Lease: Sendable {
        let buffer = Buffer()
        private let provider: any LocationProvider
        private let isReturned = Mutex(false)

        init(_ provider: any LocationProvider) {
            self.provider = provider
            // Both closures share the token: when the slots are overwritten it goes away and finishes the sequence.
            let token = Token(buffer)
            CallbackOwnership.$request.withValue(.claim(ObjectIdentifier(buffer))) {
                provider.setCallbacks(
                    locationCallback: { token.buffer.append(.location($0)) },
                    availabilityCallback: { token.buffer.append(.availability($0)) })
            }
        }

        deinit { end() }

        /// Gives the slots back, unless somebody else has overwritten them already.
        func end() {
            let isFirst = isReturned.withLock { isReturned in
                defer { isReturned = true }
                return !isReturned
            }
            guard isFirst else { return }
            buffer.finish()
            guard !buffer.isOverwritten else { return }
            CallbackOwnership.$request.withValue(.withdraw(ObjectIdentifier(buffer))) {
                provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
            }
        }
    }

    fileprivate final class Buffer: Sendable {
        struct State {
            var events: [ProviderEvent] = []
            var waiter: CheckedContinuation<ProviderEvent?, Never>?
            var isFinished = false
            var isOverwritten = false
        }

        private let state = Mutex(State())

        /// Whether the closures of this sequence are gone: somebody else has the slots.
        var isOverwritten: Bool { state.withLock { $0.isOverwritten } }

        func overwrite() {
            state.withLock { $0.isOverwritten = true }
            finish()
        }

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

        /// Ends the sequence once what is buffered has been handed out. Idempotent.
        func finish() {
            let waiter = state.withLock { state in
                defer {
                    state.isFinished = true
                    state.waiter = nil
                }
                return state.waiter
            }
            waiter?.resume(returning: nil)
        }
    }

    fileprivate final class Token: Sendable {
        let buffer: Buffer
        init(_ buffer: Buffer) { self.buffer = buffer }
        deinit { buffer.overwrite() }
    }
}

extension LocationProvider {
    /// The provider's events as an asynchronous sequence; making it occupies both callback slots.
    public func events() -> LocationEvents { LocationEvents(self) }
}
