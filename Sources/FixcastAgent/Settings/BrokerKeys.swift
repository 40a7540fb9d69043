internal import Configuration
internal import MosquittoTransport

/// The keys of a connection to a broker, in the section of that name.
struct BrokerKeys: Sendable {
    let url: ConfigurationKey<BrokerAddress>
    let version: ConfigurationKey<MosquittoConfiguration.ProtocolVersion>
    let clientID: ConfigurationKey<String>
    let username: ConfigurationKey<String?>
    let passwordFile: ConfigurationKey<String?>
    let caFile: ConfigurationKey<String?>
    let certificateFile: ConfigurationKey<String?>
    let keyFile: ConfigurationKey<String?>
    let alpn: ConfigurationKey<String?>
    let keepAlive: ConfigurationKey<Duration>

    /// - Parameters:
    ///   - section: the beginning of the keys' paths.
    ///   - clientID: the default name of this client.
    init(_ section: String, clientID name: String = "{vehicle}") {
        url = ConfigurationKey(
            "\(section).url", AgentKeys.addressFormat, default: "mqtt://localhost:1883",
            "The broker; mqtts:// for TLS.")
        version = ConfigurationKey(
            "\(section).version", .choice(of: MosquittoConfiguration.ProtocolVersion.self), default: "5",
            "The version of the protocol.")
        clientID = ConfigurationKey(
            "\(section).client-id", .string, default: name,
            "Unique on the broker; {vehicle} stands for the vehicle.")
        username = .optional("\(section).username", .string, "The user's name on the broker.")
        passwordFile = .optional("\(section).password-file", .path, "A file whose first line is the password.")
        caFile = .optional(
            "\(section).ca-file", .path, "The certificates to trust, PEM; without it the system's.")
        certificateFile = .optional("\(section).certificate-file", .path, "The client's certificate, PEM.")
        keyFile = .optional("\(section).key-file", .path, "The certificate's private key, PEM.")
        alpn = .optional(
            "\(section).alpn", .string, "The application protocol to ask for in TLS, where a broker wants one.")
        keepAlive = ConfigurationKey(
            "\(section).keep-alive", .duration(in: .seconds(5) ... .seconds(65_535)), default: "60s",
            "A ping on a quiet connection; it costs about 200 bytes over TLS.")
    }

    var all: [any DeclaredKey] {
        [
            url, version, clientID, username, passwordFile, caFile, certificateFile, keyFile, alpn, keepAlive,
        ]
    }
}
