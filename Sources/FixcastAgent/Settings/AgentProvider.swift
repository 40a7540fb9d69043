internal import FleetWire
internal import LocationProviders
internal import MosquittoTransport
internal import Positioning

/// Where the agent's positions come from.
enum AgentProvider: Equatable, Sendable {
    /// A receiver, a log, a program or the simulator.
    case local(ProviderSettings)
    /// A broker.
    case remote(RemoteSourceSettings)
    /// Several, in order of preference.
    case firstOf(FirstOfSettings)

    /// Where NMEA is read from, in order of preference.
    var nmeaSources: [SourceAddress] {
        switch self {
        case .local(let local):
            if case .nmea(let nmea) = local.source { [nmea.source] } else { [] }
        case .remote: []
        case .firstOf(let settings): settings.sources.flatMap(\.provider.nmeaSources)
        }
    }

    /// The section of the first replay among the sources; `nil` where none is one.
    var replaySection: String? {
        switch self {
        case .local(let local):
            if case .replay = local.source { "provider" } else { nil }
        case .remote: nil
        case .firstOf(let settings):
            settings.sources.firstIndex { $0.provider.replaySection != nil }.map { "provider.first-of[\($0)]" }
        }
    }
}

/// Whose positions are taken from which broker.
struct RemoteSourceSettings: Equatable, Sendable {
    enum Subject: Equatable, Sendable {
        /// A vehicle with an agent of this kind.
        case vehicle(VehicleID, TopicRoot)
        /// A phone with OwnTracks, by its topic.
        case ownTracks(topic: String, staleAfter: Duration)
    }

    var subject: Subject
    var mqtt: MosquittoConfiguration
}

/// Sources in order of preference; none of them is a `first-of` itself.
struct FirstOfSettings: Equatable, Sendable {
    struct Source: Equatable, Sendable {
        /// What its positions carry as their source.
        var name: String
        var provider: AgentProvider
    }

    var sources: [Source]
    var silence: Duration
    var proof: Duration
}
