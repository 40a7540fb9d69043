internal import Configuration
internal import FleetWire
internal import LocationProviders
internal import MosquittoTransport
internal import Positioning

/// Every key of the agent's configuration, declared once: what reads it, its default, and its line in the reference.
enum AgentKeys {
    static let vehicle = ConfigurationKey<VehicleID>.required(
        "vehicle", vehicleFormat, "The vehicle's name on the broker: one topic level, opaque, no number plate.")

    static let provider = ProviderKeys("provider")
    static let firstOf = ConfigurationListKey(
        "provider.first-of", example: "[ { type: gpsd }, { type: simulator } ]",
        "Sources in order of preference, each with the keys of a provider and, if wanted, a name of its own.")
    static let fallBackAfter = ConfigurationKey(
        "provider.fall-back.after", .duration(in: .seconds(1) ... .seconds(86_400)), default: "10s",
        "first-of: how long after its last reliable position a source is given up for the next.")
    static let returnAfter = ConfigurationKey(
        "provider.fall-back.return-after", .duration(in: .zero ... .seconds(86_400)), default: "30s",
        "first-of: how long a source that was lost must be good again before it is returned to.")

    static let dataBudget = ConfigurationKey(
        "reporting.data-budget", .dataRate(), default: "0MB/day",
        "Bytes a day as an operator counts them; as they run short the bound widens in steps. 0MB/day: no limit.")

    // MARK: demand

    static let acceptsDemand = ConfigurationKey(
        "demand.accept", .bool, default: "true", "Whether subscribers may ask for more for a while.")
    static let demandInterval = ConfigurationKey(
        "demand.min-interval", .duration(in: .milliseconds(50) ... .seconds(86_400)), default: "1s",
        "The shortest interval between reports that they get.")
    static let demandBound = ConfigurationKey(
        "demand.min-bound", .distance(in: 0.5...100_000), default: "5m",
        "The smallest bound and distance that they get.")
    static let demandLease = ConfigurationKey(
        "demand.max-lease", .duration(in: .seconds(1) ... .seconds(604_800)), default: "1h",
        "The longest time for which they get it without asking again.")
    static let demandAccuracy = ConfigurationKey(
        "demand.max-accuracy", .choice(of: [("low", DesiredAccuracy.low), ("medium", .medium), ("high", .high)]),
        default: "high", "The most that the provider is asked for on their behalf.")

    // MARK: mqtt

    static let broker = BrokerKeys("mqtt")
    static let topicRoot = ConfigurationKey(
        "mqtt.topic-root", topicRootFormat, default: "fleet/{vehicle}",
        "Where the vehicle's topics are; the same text on agent and subscriber.")
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

    static let fixLossDelay = ConfigurationKey(
        "availability.fix-loss-delay", .duration(in: .zero ... .seconds(3600)), default: "10s",
        "How long a fix may be gone before the vehicle is said to be unavailable.")
    static let healthInterval = ConfigurationKey(
        "health-interval", .duration(in: .seconds(10) ... .seconds(86_400)), default: "15min",
        "How often the agent says how it fares.")
    static let logLevel = ConfigurationKey(
        "log.level", .choice(of: LogLevel.self), default: "info", "How much is said on standard error.")
    static let logFormat = ConfigurationKey(
        "log.format", .choice(of: LogFormat.self), default: "text", "How it is said.")

    static let all: [any DeclaredKey] =
        [vehicle] + provider.all + [
            firstOf, fallBackAfter, returnAfter,
        ] + ReportingKeys.all + [
            dataBudget, acceptsDemand, demandInterval, demandBound, demandLease, demandAccuracy,
        ] + broker.all + [
            topicRoot, acknowledgeTimeout, sessionExpiry, willDelay, retain, locationExpiry, qos,
        ] + OutboxKeys.all + [
            fixLossDelay, healthInterval, logLevel, logFormat,
        ]
}

enum QoSChoice: Sendable { case atMostOnce, atLeastOnce }

/// What the broker is asked to keep.
public enum RetainMode: String, CaseIterable, Sendable { case all, availability, none }
