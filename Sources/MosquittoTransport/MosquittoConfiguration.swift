/// How to reach and to enter a broker.
public struct MosquittoConfiguration: Equatable, Sendable {
    /// The protocol spoken.
    public enum ProtocolVersion: String, Sendable, CaseIterable {
        case v5 = "5"
        case v311 = "3.1.1"
    }

    public var address: BrokerAddress
    public var version = ProtocolVersion.v5
    /// Empty lets the broker choose one.
    public var clientID: String
    public var username: String?
    /// Never logged.
    public var password: String?
    /// Used when the address asks for TLS; the peer is always verified.
    public var tls = MosquittoTLS()
    /// Seconds between pings on a quiet connection; at least 5, or 0 for none.
    ///
    /// 60 suits cellular links: carriers' address translators forget an idle connection after minutes, so a ping a minute
    /// keeps it; a broker notices a lost vehicle after 90 s; and the pings of a parked vehicle cost 0.3 MB a day over TLS.
    /// A moving one reports more often than that and seldom pings.
    public var keepAlive = 60
    /// Seconds for which the broker keeps the session after the connection ended (MQTT 5).
    public var sessionExpiry: UInt32 = 60
    /// Whether the first connection takes up the session that an earlier run with this client id left on the broker, as a
    /// history does that must miss nothing. mosquitto 2.0 stores only such sessions: others end with the broker.
    public var takesUpSession = false
    /// Seconds by which the broker holds the will back (MQTT 5).
    public var willDelay: UInt32 = 30
    /// Nanoseconds an acknowledgement may be outstanding before the link counts as dead.
    public var acknowledgeTimeout: Int64 = 20_000_000_000
    /// Nanoseconds for name resolution, TCP and TLS, and again for the broker's CONNACK.
    public var connectTimeout: Int64 = 20_000_000_000
    public var backoff = ReconnectDelays()

    public init(address: BrokerAddress, clientID: String) {
        self.address = address
        self.clientID = clientID
    }
}

/// The limits of the reconnect delays, nanoseconds; see `Backoff`.
public struct ReconnectDelays: Equatable, Sendable {
    public var initial: Int64 = 1_000_000_000
    public var maximum: Int64 = 60_000_000_000
    public var stableAfter: Int64 = 10_000_000_000

    public init() {}
}

/// What TLS needs beside the address; absent files mean the system's trust store and no client certificate.
public struct MosquittoTLS: Equatable, Sendable {
    /// PEM file with the certificates of the trusted authorities.
    public var authorityFile: String?
    /// PEM file with the client's certificate chain.
    public var certificateFile: String?
    /// PEM file with the client's private key.
    public var keyFile: String?
    /// Application protocol to ask for, such as `mqtt`.
    public var applicationProtocol: String?

    public init() {}
}
