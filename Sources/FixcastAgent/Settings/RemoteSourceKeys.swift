internal import Configuration
internal import FleetWire

/// The keys of a provider that is fed by a broker.
struct RemoteSourceKeys: Sendable {
    let vehicle: ConfigurationKey<VehicleID?>
    let topicRoot: ConfigurationKey<TopicRoot>
    let ownTracks: ConfigurationKey<String?>
    let staleAfter: ConfigurationKey<Duration>
    let broker: BrokerKeys

    /// - Parameter section: the beginning of the keys' paths.
    init(_ section: String) {
        vehicle = .optional(
            "\(section).vehicle", AgentKeys.vehicleFormat, "The vehicle whose positions are taken.")
        topicRoot = ConfigurationKey(
            "\(section).topic-root", AgentKeys.topicRootFormat, default: "fleet/{vehicle}",
            "Where that vehicle's topics are.")
        ownTracks = .optional(
            "\(section).owntracks", AgentKeys.topicFormat, "The topic that a phone with OwnTracks publishes on.")
        staleAfter = ConfigurationKey(
            "\(section).stale-after", .duration(in: .seconds(1) ... .seconds(604_800)), default: "10min",
            "How long after a phone's position the next one is waited for.")
        broker = BrokerKeys(section, clientID: "{vehicle}-source")
    }

    var all: [any DeclaredKey] { [vehicle, topicRoot, ownTracks, staleAfter] + broker.all }
}
