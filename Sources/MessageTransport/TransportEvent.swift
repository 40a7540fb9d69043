/// What happens on a transport, in order.
public enum TransportEvent: Equatable, Sendable {
    /// The broker accepted the connection, with what it can do.
    case connected(BrokerCapabilities)
    /// The connection, or the attempt to make one, ended; the transport tries again by itself.
    case disconnected(TransportFailure)
    /// The broker answered a subscription: the filters it refused, with their reason codes.
    case subscribed(refused: [String: ReasonCode])
    case message(IncomingMessage)
    /// A publish is settled.
    case completed(PublishID, PublishOutcome)
    /// ``MessageTransport/stop()`` is done; nothing follows.
    case stopped
}

/// How a publish ended.
public enum PublishOutcome: Equatable, Sendable {
    /// QoS 1: the broker acknowledged it. QoS 0: it was written to the connection.
    case accepted
    /// The broker acknowledged it, but nobody subscribes to the topic (MQTT 5, 0x10).
    case acceptedWithoutSubscribers
    /// The broker refused it (MQTT 5: not authorized 0x87, quota 0x97, …); sending it again would be refused again.
    case refused(ReasonCode)
    /// It exceeds what the broker takes in one packet; it was not sent.
    case tooLarge(limit: Int)
    /// There is no connection; it was not sent and is not kept.
    case notConnected
    /// The connection ended before the acknowledgement: the broker may have it or not.
    case unknown
}

/// A reason code of MQTT 5; return codes of 3.1.1 are mapped to their successors.
public struct ReasonCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let unspecified = ReasonCode(rawValue: 0x80)
    public static let badUserNameOrPassword = ReasonCode(rawValue: 0x86)
    public static let notAuthorized = ReasonCode(rawValue: 0x87)
    public static let serverUnavailable = ReasonCode(rawValue: 0x88)
    public static let sessionTakenOver = ReasonCode(rawValue: 0x8E)
    public static let quotaExceeded = ReasonCode(rawValue: 0x97)
    public static let retainNotSupported = ReasonCode(rawValue: 0x9A)
    public static let qosNotSupported = ReasonCode(rawValue: 0x9B)
}

/// What the broker said in its CONNACK; the defaults are MQTT's for what it does not say.
public struct BrokerCapabilities: Equatable, Sendable {
    public var sessionPresent = false
    public var retainAvailable = true
    public var maximumQoS = QualityOfService.atLeastOnce
    /// Bytes of one packet; `nil`: no limit beyond the protocol's.
    public var maximumPacketSize: Int?
    /// How many QoS 1 messages may be unacknowledged at once.
    public var receiveMaximum = 65_535
    /// Seconds; `nil`: the client's own keep alive holds.
    public var serverKeepAlive: Int?
    public var wildcardSubscriptionsAvailable = true
    public var sharedSubscriptionsAvailable = true

    public init() {}
}

/// Why there is no connection.
public struct TransportFailure: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        /// Name resolution, TCP or the network: worth trying again.
        case unreachable
        /// The TLS handshake failed: certificate, clock or protocol.
        case tls
        /// The broker refused user, password or certificate.
        case authentication
        /// The broker refused for another reason.
        case refused
        /// An established connection ended.
        case lost
        /// Another client connected with the same id.
        case takenOver
        /// A certificate, key or option cannot be used; trying again needs a change.
        case configuration
    }

    public var kind: Kind
    /// What happened, for people; never holds a secret.
    public var message: String
    public var reason: ReasonCode?

    public init(_ kind: Kind, _ message: String, reason: ReasonCode? = nil) {
        self.kind = kind
        self.message = message
        self.reason = reason
    }

    public var description: String { message }
}
