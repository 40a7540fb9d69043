/// The port to an MQTT client: what the agent, the remote provider and the fleet backend need of one, and nothing else.
/// A Swift app adapts the client it already has; `MosquittoTransport` is the one over libmosquitto.
///
/// All methods may be called from any thread. Events come one at a time, in order, on the transport's own serial
/// context. A transport keeps itself connected from ``start(_:)`` to ``stop()``; subscriptions are renewed by whoever
/// made them, on each ``TransportEvent/connected(_:)``.
public protocol MessageTransport: AnyObject, Sendable {
    /// Begins to connect and to deliver events to `handler`. Once only.
    func start(_ handler: @escaping @Sendable (TransportEvent) -> Void)

    /// Asks for the messages that match `filter`. Without a connection the call is ignored.
    func subscribe(_ subscriptions: [Subscription])

    /// Hands a message over and says at once how it ended, or that the outcome follows as
    /// ``TransportEvent/completed(_:_:)``. Nothing is kept for later: without a connection it ends as
    /// ``PublishOutcome/notConnected``. Only after ``start(_:)``.
    @discardableResult
    func publish(_ message: OutgoingMessage) -> PublishReceipt

    /// Disconnects, sending what was handed over so far; ``TransportEvent/stopped`` is the last event. Idempotent.
    func stop()
}

/// What ``MessageTransport/publish(_:)`` says at once.
public enum PublishReceipt: Equatable, Sendable {
    /// It is over: written (QoS 0) or not sent.
    case settled(PublishOutcome)
    /// The outcome follows under this number.
    case pending(PublishID)
}

/// Names one publish of one transport, in ascending order.
public struct PublishID: Hashable, Comparable, Sendable {
    public var number: UInt64

    public init(number: UInt64) { self.number = number }

    public static func < (a: PublishID, b: PublishID) -> Bool { a.number < b.number }
}

/// MQTT's delivery promise between client and broker.
public enum QualityOfService: UInt8, Comparable, Sendable {
    case atMostOnce = 0
    case atLeastOnce = 1

    public static func < (a: QualityOfService, b: QualityOfService) -> Bool { a.rawValue < b.rawValue }
}

/// A message to publish.
public struct OutgoingMessage: Equatable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    public var qos: QualityOfService
    public var retain: Bool
    /// Seconds after which the broker drops the message (MQTT 5; not sent on 3.1.1).
    public var expiry: UInt32?
    /// MIME type of the payload (MQTT 5; not sent on 3.1.1).
    public var contentType: String?

    public init(
        topic: String, payload: [UInt8], qos: QualityOfService = .atLeastOnce, retain: Bool = false,
        expiry: UInt32? = nil, contentType: String? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.expiry = expiry
        self.contentType = contentType
    }
}

/// A message that arrived.
public struct IncomingMessage: Equatable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    public var qos: QualityOfService
    /// Whether the broker had kept it from before the subscription.
    public var retained: Bool

    public init(topic: String, payload: [UInt8], qos: QualityOfService = .atLeastOnce, retained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retained = retained
    }
}

/// A topic filter to subscribe to.
public struct Subscription: Equatable, Sendable {
    /// When the broker sends the retained messages that match (MQTT 5; 3.1.1 always sends them).
    public enum RetainedMessages: UInt8, Sendable {
        case always = 0
        case onlyForNewSubscription = 1
        case never = 2
    }

    public var filter: String
    public var qos: QualityOfService
    public var retained: RetainedMessages

    public init(_ filter: String, qos: QualityOfService = .atLeastOnce, retained: RetainedMessages = .always) {
        self.filter = filter
        self.qos = qos
        self.retained = retained
    }
}
