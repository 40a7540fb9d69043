public import MessageTransport
internal import Synchronization

/// A broker inside the process: topics, retained messages, wills, refusals. Its clients are ``InMemoryTransport``s.
public final class InMemoryBroker: Sendable {
    private struct Client {
        var subscriptions: [Subscription] = []
        var deliver: @Sendable (TransportEvent) -> Void
        var will: OutgoingMessage?
    }

    private struct State {
        var retained: [String: IncomingMessage] = [:]
        var clients: [ObjectIdentifier: Client] = [:]
        var refusedFilters: [String: ReasonCode] = [:]
        var isUp = true
    }

    private let state = Mutex(State())

    public init() {}

    /// Whether clients can connect.
    public var isUp: Bool { state.withLock { $0.isUp } }

    /// The payload kept for a topic.
    public func retainedPayload(_ topic: String) -> [UInt8]? { state.withLock { $0.retained[topic]?.payload } }

    /// Refuses subscriptions to this filter from now on.
    public func refuse(_ filter: String, _ reason: ReasonCode = .notAuthorized) {
        state.withLock { $0.refusedFilters[filter] = reason }
    }

    /// Ends all connections and takes no new ones; wills are not published, retained messages stay.
    public func goDown() {
        let clients = state.withLock { state in
            defer { state.clients.removeAll() }
            state.isUp = false
            return state.clients.values.map(\.deliver)
        }
        for deliver in clients { deliver(.disconnected(TransportFailure(.lost, "the broker went down"))) }
    }

    /// Takes connections again; the clients are told by ``InMemoryTransport/reconnect()``.
    public func comeUp() { state.withLock { $0.isUp = true } }

    /// Publishes as if a client had.
    public func publish(_ message: OutgoingMessage) {
        let deliveries = state.withLock { state in
            if message.retain {
                state.retained[message.topic] =
                    message.payload.isEmpty
                    ? nil
                    : IncomingMessage(
                        topic: message.topic, payload: message.payload, qos: message.qos, retained: true)
            }
            return state.clients.values.filter { client in
                client.subscriptions.contains { $0.matches(message.topic) }
            }.map(\.deliver)
        }
        let incoming = IncomingMessage(topic: message.topic, payload: message.payload, qos: message.qos)
        for deliver in deliveries { deliver(.message(incoming)) }
    }

    func connect(
        _ id: ObjectIdentifier, will: OutgoingMessage?, _ deliver: @escaping @Sendable (TransportEvent) -> Void
    ) -> Bool {
        state.withLock { state in
            guard state.isUp else { return false }
            state.clients[id] = Client(deliver: deliver, will: will)
            return true
        }
    }

    /// Ends a connection; returns whether there was one.
    func disconnect(_ id: ObjectIdentifier, publishingWill: Bool) -> Bool {
        guard let client = state.withLock({ $0.clients.removeValue(forKey: id) }) else { return false }
        if publishingWill, let will = client.will { publish(will) }
        return true
    }

    func isConnected(_ id: ObjectIdentifier) -> Bool { state.withLock { $0.clients[id] != nil } }

    func subscribe(_ id: ObjectIdentifier, _ subscriptions: [Subscription]) {
        let events = state.withLock { state -> [TransportEvent] in
            guard state.clients[id] != nil else { return [] }
            var refused: [String: ReasonCode] = [:]
            var messages: [TransportEvent] = []
            for subscription in subscriptions {
                if let reason = state.refusedFilters[subscription.filter] {
                    refused[subscription.filter] = reason
                    continue
                }
                state.clients[id]?.subscriptions.append(subscription)
                guard subscription.retained != .never else { continue }
                for (topic, message) in state.retained.sorted(by: { $0.key < $1.key })
                where subscription.matches(topic) {
                    messages.append(.message(message))
                }
            }
            return [.subscribed(refused: refused)] + messages
        }
        guard let deliver = state.withLock({ $0.clients[id]?.deliver }) else { return }
        for event in events { deliver(event) }
    }
}
