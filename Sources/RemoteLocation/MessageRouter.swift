public import MessageTransport
internal import Synchronization

/// Shares one transport among several receivers: it starts the transport with the first one, renews their
/// subscriptions on each connection, and hands each the messages that it asked for.
///
/// Handlers are called on the transport's own context, one event at a time, with no lock held.
public final class MessageRouter: Sendable {
    /// Receives the events of the link and the messages that match.
    public typealias Handler = @Sendable (TransportEvent) -> Void

    /// One receiver's subscriptions, until ``cancel()``.
    public final class Attachment: Sendable {
        private let router: MessageRouter
        private let number: UInt64

        fileprivate init(_ router: MessageRouter, _ number: UInt64) {
            self.router = router
            self.number = number
        }

        /// Ends the receiver's part; messages that still come for it are dropped. Idempotent.
        public func cancel() { router.detach(number) }
    }

    private struct Receiver {
        var subscriptions: [Subscription]
        var handler: Handler
    }

    private struct State {
        var receivers: [UInt64: Receiver] = [:]
        /// The receivers of each topic that is subscribed to as it is, for one look-up per message.
        var exact: [String: [UInt64]] = [:]
        var wildcard: [UInt64] = []
        var lastNumber: UInt64 = 0
        var isStarted = false
        var isStopped = false
        var connected: BrokerCapabilities?
    }

    private let transport: any MessageTransport
    private let state = Mutex(State())

    public init(transport: any MessageTransport) { self.transport = transport }

    /// Adds a receiver. Where the link is up already, `handler` is told so inside the call and the subscriptions are
    /// made at once.
    public func attach(_ subscriptions: [Subscription], _ handler: @escaping Handler) -> Attachment {
        let (number, mustStart, connected) = state.withLock { state in
            state.lastNumber += 1
            state.receivers[state.lastNumber] = Receiver(subscriptions: subscriptions, handler: handler)
            for subscription in subscriptions {
                if subscription.isWildcard {
                    if state.wildcard.last != state.lastNumber { state.wildcard.append(state.lastNumber) }
                } else {
                    state.exact[subscription.filter, default: []].append(state.lastNumber)
                }
            }
            let mustStart = !state.isStarted && !state.isStopped
            state.isStarted = true
            return (state.lastNumber, mustStart, state.connected)
        }
        if mustStart {
            transport.start { [weak self] in self?.route($0) }
        } else if let connected {
            handler(.connected(connected))
            transport.subscribe(subscriptions)
            // The link may have ended on another thread meanwhile, and told so before it was told to be up.
            if state.withLock({ $0.connected == nil }) {
                handler(.disconnected(TransportFailure(.lost, "the connection ended")))
            }
        }
        return Attachment(self, number)
    }

    /// Publishes by the shared transport; see ``MessageTransport/MessageTransport/publish(_:)``.
    @discardableResult
    public func publish(_ message: OutgoingMessage) -> PublishReceipt { transport.publish(message) }

    /// Stops the transport for good; every receiver is told ``MessageTransport/TransportEvent/stopped``.
    public func stop() {
        state.withLock { $0.isStopped = true }
        transport.stop()
    }

    private func detach(_ number: UInt64) {
        // Released outside the lock: what a handler captures may run code when it goes away.
        let receiver = state.withLock { state -> Receiver? in
            guard let receiver = state.receivers.removeValue(forKey: number) else { return nil }
            for subscription in receiver.subscriptions {
                state.exact[subscription.filter]?.removeAll { $0 == number }
                if state.exact[subscription.filter]?.isEmpty == true { state.exact[subscription.filter] = nil }
            }
            state.wildcard.removeAll { $0 == number }
            return receiver
        }
        withExtendedLifetime(receiver) {}
    }

    private func route(_ event: TransportEvent) {
        switch event {
        case .message(let message):
            for handler in handlers(of: message.topic) { handler(event) }
        case .connected(let capabilities):
            let subscriptions = state.withLock { state in
                state.connected = capabilities
                return inOrder(state.receivers).flatMap(\.subscriptions)
            }
            for handler in allHandlers() { handler(event) }
            if !subscriptions.isEmpty { transport.subscribe(subscriptions) }
        case .disconnected, .stopped:
            state.withLock { $0.connected = nil }
            for handler in allHandlers() { handler(event) }
        case .subscribed(let refused):
            if !refused.isEmpty { for handler in allHandlers() { handler(event) } }
        case .completed:
            break
        }
    }

    private func handlers(of topic: String) -> [Handler] {
        state.withLock { state in
            let exact = (state.exact[topic] ?? []).compactMap { state.receivers[$0]?.handler }
            if state.wildcard.isEmpty { return exact }
            return exact
                + state.wildcard.compactMap { number in
                    guard let receiver = state.receivers[number],
                        receiver.subscriptions.contains(where: { $0.matches(topic) })
                    else { return nil }
                    return receiver.handler
                }
        }
    }

    private func allHandlers() -> [Handler] { state.withLock { inOrder($0.receivers).map(\.handler) } }

    private func inOrder(_ receivers: [UInt64: Receiver]) -> [Receiver] {
        receivers.sorted { $0.key < $1.key }.map(\.value)
    }
}
