internal import Configuration
internal import FleetWire
internal import LocationProviders
internal import MosquittoTransport

/// Every key of the agent's configuration, declared once: what reads it, its default, and its line in the reference.
enum AgentKeys {
    static let vehicle = ConfigurationKey<VehicleID>.required(
        "vehicle", vehicleFormat, "The vehicle's name on the broker: one topic level, opaque, no number plate.")

    // MARK: provider

    static let providerType = ConfigurationKey(
        "provider.type", .choice(of: ProviderType.self), default: "gpsd", "Where positions come from.")
    static let gpsdAddress = ConfigurationKey(
        "provider.gpsd.address", hostPortFormat, default: "localhost:2947", "Where gpsd listens.")
    static let replayFile = ConfigurationKey<String?>.optional(
        "provider.replay.file", .path, "A log of NMEA 0183 or gpsd's JSON; its content tells which.")
    static let replaySpeed = ConfigurationKey(
        "provider.replay.speed", .number(in: 0...10_000), default: "1",
        "How many times faster than recorded; 0: as fast as the pipeline takes it.")
    static let replayLoop = ConfigurationKey(
        "provider.replay.loop", .bool, default: "false", "Begin again at the end, with time going on.")
    static let replayTime = ConfigurationKey(
        "provider.replay.time", .choice(of: ReplaySettings.Time.self), default: "original",
        "original: as recorded; now: shifted so that the drive starts now.")
    static let simulatorSeed = ConfigurationKey(
        "provider.simulator.seed", .integer(in: 0...Int.max), default: "1", "The same seed is the same drive.")
    static let simulatorRate = ConfigurationKey(
        "provider.simulator.rate", .rate(in: 0.1...25), default: "1/s", "Fixes per second.")
    static let assumeAccuracy = ConfigurationKey(
        "provider.assume-accuracy", .distance(in: 0...10_000), default: "0m",
        "For receivers that never say how accurate they are; marked on the wire. 0m: do not assume.")
    static let uere = ConfigurationKey(
        "provider.uere", .distance(in: 0.1...1000), default: "5m",
        "Accuracy (68 %) is HDOP times this where a source gives HDOP alone.")

    // MARK: checks

    static let maxAccuracy = ConfigurationKey(
        "checks.max-accuracy", .distance(), default: "100m", "Less accurate fixes are rejected. 0m: no limit.")
    static let maxAge = ConfigurationKey(
        "checks.max-age", .duration(in: .zero ... .seconds(86_400)), default: "10s",
        "Older fixes are rejected. 0s: no limit.")
    static let nullIsland = ConfigurationKey(
        "checks.null-island", .choice(of: NullIsland.self), default: "reject",
        "What to do with fixes at 0, 0, where receivers say they are before they know.")

    // MARK: reporting

    static let unreliable = ConfigurationKey(
        "reporting.unreliable", .choice(of: UnreliablePolicy.self), default: "publish",
        "Unreliable positions: publish (flagged, never retained) or drop (counted).")
    static let minInterval = ConfigurationKey(
        "reporting.moving.min-interval", .duration(in: .zero ... .seconds(86_400)), default: "1s",
        "Never more often than this.")
    static let maxInterval = ConfigurationKey(
        "reporting.moving.max-interval", .duration(in: .seconds(1) ... .seconds(86_400)), default: "60s",
        "At the latest after this; receivers learn it as due.")
    static let minDistance = ConfigurationKey(
        "reporting.moving.min-distance", .distance(in: 0...100_000), default: "0m",
        "Only when moved this far, or max-interval is over. 0m: every fix, as min-interval allows.")

    // MARK: mqtt

    static let url = ConfigurationKey(
        "mqtt.url", addressFormat, default: "mqtt://localhost:1883", "The broker; mqtts:// for TLS.")
    static let version = ConfigurationKey(
        "mqtt.version", .choice(of: MosquittoConfiguration.ProtocolVersion.self), default: "5",
        "The version of the protocol.")
    static let clientID = ConfigurationKey(
        "mqtt.client-id", .string, default: "{vehicle}", "Unique on the broker; {vehicle} stands for the vehicle.")
    static let topicRoot = ConfigurationKey(
        "mqtt.topic-root", topicRootFormat, default: "fleet/{vehicle}",
        "Where the vehicle's topics are; the same text on agent and subscriber.")
    static let username = ConfigurationKey<String?>.optional("mqtt.username", .string, "The user's name on the broker.")
    static let passwordFile = ConfigurationKey<String?>.optional(
        "mqtt.password-file", .path, "A file whose first line is the password.")
    static let caFile = ConfigurationKey<String?>.optional(
        "mqtt.ca-file", .path, "The certificates to trust, PEM; without it the system's.")
    static let certificateFile = ConfigurationKey<String?>.optional(
        "mqtt.certificate-file", .path, "The vehicle's certificate, PEM.")
    static let keyFile = ConfigurationKey<String?>.optional(
        "mqtt.key-file", .path, "The certificate's private key, PEM.")
    static let alpn = ConfigurationKey<String?>.optional(
        "mqtt.alpn", .string, "The application protocol to ask for in TLS, where a broker wants one.")
    static let keepAlive = ConfigurationKey(
        "mqtt.keep-alive", .duration(in: .seconds(5) ... .seconds(65_535)), default: "60s",
        "A ping on a quiet connection; it costs about 200 bytes over TLS.")
    static let acknowledgeTimeout = ConfigurationKey(
        "mqtt.acknowledge-timeout", .duration(in: .seconds(1) ... .seconds(3600)), default: "20s",
        "An acknowledgement outstanding longer means a dead link.")
    static let sessionExpiry = ConfigurationKey(
        "mqtt.session-expiry", .duration(in: .zero ... .seconds(2_592_000)), default: "60s",
        "How long the broker keeps the session of a lost connection.")
    static let willDelay = ConfigurationKey(
        "mqtt.will-delay", .duration(in: .zero ... .seconds(86_400)), default: "30s",
        "How long the broker waits before it says that the vehicle is lost (MQTT 5).")
    static let retain = ConfigurationKey(
        "mqtt.retain", .choice(of: RetainMode.self), default: "all", "What the broker keeps for later subscribers.")
    static let locationExpiry = ConfigurationKey(
        "mqtt.location-expiry", .duration(in: .zero ... .seconds(31_536_000)), default: "30d",
        "After this the broker forgets the retained location (MQTT 5). 0s: never.")
    static let qos = ConfigurationKey(
        "mqtt.qos", .choice(of: [("1", QoSChoice.atLeastOnce), ("0", .atMostOnce)]), default: "1",
        "Of reports: 1 is acknowledged and repeated, 0 is sent once.")

    // MARK: the rest

    static let directory = ConfigurationKey(
        "outbox.directory", .path, default: "/var/lib/fixcast", "What survives a restart: who this agent is.")
    static let fixLossDelay = ConfigurationKey(
        "availability.fix-loss-delay", .duration(in: .zero ... .seconds(3600)), default: "10s",
        "How long a fix may be gone before the vehicle is said to be unavailable.")
    static let logLevel = ConfigurationKey(
        "log.level", .choice(of: LogLevel.self), default: "info", "How much is said on standard error.")
    static let logFormat = ConfigurationKey(
        "log.format", .choice(of: LogFormat.self), default: "text", "How it is said.")

    static let all: [any DeclaredKey] = [
        vehicle, providerType, gpsdAddress, replayFile, replaySpeed, replayLoop, replayTime, simulatorSeed,
        simulatorRate, assumeAccuracy, uere, maxAccuracy, maxAge, nullIsland, unreliable, minInterval, maxInterval,
        minDistance, url, version, clientID, topicRoot, username, passwordFile, caFile, certificateFile, keyFile, alpn,
        keepAlive, acknowledgeTimeout, sessionExpiry, willDelay, retain, locationExpiry, qos, directory, fixLossDelay,
        logLevel, logFormat,
    ]
}

enum ProviderType: String, CaseIterable, Sendable { case gpsd, replay, simulator }
enum NullIsland: String, CaseIterable, Sendable { case reject, accept }
enum UnreliablePolicy: String, CaseIterable, Sendable { case publish, drop }
enum QoSChoice: Sendable { case atMostOnce, atLeastOnce }

/// What the broker is asked to keep.
public enum RetainMode: String, CaseIterable, Sendable { case all, availability, none }
