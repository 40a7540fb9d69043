public import MessageTransport
public import Positioning
internal import Synchronization

/// A ``MessageTransport/MessageTransport`` to an ``InMemoryBroker``: its events come on a scheduler, one at a time. It
/// connects when told to, and never by itself again.
public final class InMemoryTransport: MessageTransport {
    private struct State {
        var handler: (@Sendable (TransportEvent) -> Void)?
        var isStopped = false
        var lastPublish: UInt64 = 0
    }

    private let broker: InMemoryBroker
    private let scheduler: any ProviderScheduler
    private let will: OutgoingMessage?
    private let state = Mutex(State())

    public init(broker: InMemoryBroker, scheduler: any ProviderScheduler, will: OutgoingMessage? = nil) {
        self.broker = broker
        self.scheduler = scheduler
        self.will = will
    }

    public var isConnected: Bool { broker.isConnected(ObjectIdentifier(self)) }

    public func start(_ handler: @escaping @Sendable (TransportEvent) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.handler = handler }
            return state.handler == nil
        }
        precondition(isFirst, "a transport is started once")
        reconnect()
    }

    /// Connects, or is told that there is no broker.
    public func reconnect() {
        guard !state.withLock({ $0.isStopped }), !isConnected else { return }
        let isAccepted = broker.connect(ObjectIdentifier(self), will: will) { [weak self] in self?.tell($0) }
        tell(
            isAccepted
                ? .connected(BrokerCapabilities()) : .disconnected(TransportFailure(.unreachable, "there is no broker"))
        )
    }

    /// Loses the connection: the broker publishes the will.
    public func loseConnection() {
        guard broker.disconnect(ObjectIdentifier(self), publishingWill: true) else { return }
        tell(.disconnected(TransportFailure(.lost, "the connection was lost")))
    }

    public func subscribe(_ subscriptions: [Subscription]) {
        broker.subscribe(ObjectIdentifier(self), subscriptions)
    }

    @discardableResult
    public func publish(_ message: OutgoingMessage) -> PublishReceipt {
        guard isConnected else { return .settled(.notConnected) }
        broker.publish(message)
        guard message.qos == .atLeastOnce else { return .settled(.accepted) }
        let id = state.withLock { state in
            state.lastPublish += 1
            return PublishID(number: state.lastPublish)
        }
        tell(.completed(id, .accepted))
        return .pending(id)
    }

    public func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return }
        _ = broker.disconnect(ObjectIdentifier(self), publishingWill: false)
        tell(.stopped)
    }

    private func tell(_ event: TransportEvent) {
        scheduler.enqueue { [weak self] in
            guard let self, let handler = state.withLock({ $0.handler }) else { return }
            handler(event)
        }
    }
}
