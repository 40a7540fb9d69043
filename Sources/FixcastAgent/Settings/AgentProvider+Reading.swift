internal import Configuration
internal import FleetWire
internal import LocationProviders
internal import MosquittoTransport
internal import Positioning

extension AgentProvider {
    /// - Parameters:
    ///   - vehicle: the agent's own.
    ///   - root: where the agent itself publishes.
    ///   - mqtt: the agent's own connection, which a source without an address of its own shares.
    init(
        _ reader: inout ConfigurationReader, vehicle: VehicleID, root: TopicRoot, mqtt: MosquittoConfiguration
    ) {
        let common = CommonProviderSettings(
            assumption: AccuracyAssumption(metres: reader.value(AgentKeys.provider.assumeAccuracy)),
            uere: reader.value(AgentKeys.provider.uere))
        let own = OwnConnection(vehicle: vehicle, root: root, mqtt: mqtt)
        let firstOf = FirstOfSettings(&reader, common, own)
        guard reader.value(AgentKeys.provider.type) == .firstOf else {
            self.init(&reader, AgentKeys.provider, common, own)
            return
        }
        if !reader.isGiven(AgentKeys.firstOf) {
            reader.report(
                "is missing; \(AgentKeys.provider.type.path) is first-of, which needs a list, for example \(AgentKeys.firstOf.example)",
                at: AgentKeys.firstOf, code: .missing)
        }
        self = .firstOf(firstOf)
    }

    /// One source.
    fileprivate init(
        _ reader: inout ConfigurationReader, _ keys: ProviderKeys, _ common: CommonProviderSettings,
        _ own: OwnConnection
    ) {
        if let local = ProviderSettings(&reader, keys, common) {
            self = .local(local)
        } else {
            self = .remote(RemoteSourceSettings(&reader, keys, own))
        }
    }
}

/// What the agent itself has with its broker.
private struct OwnConnection {
    var vehicle: VehicleID
    var root: TopicRoot
    var mqtt: MosquittoConfiguration
}

extension FirstOfSettings {
    fileprivate init(_ reader: inout ConfigurationReader, _ common: CommonProviderSettings, _ own: OwnConnection) {
        var read: [(type: ProviderType, name: String?, provider: AgentProvider)] = []
        for section in reader.sections(AgentKeys.firstOf) {
            let source = FirstOfKeys(section)
            let keys = source.provider
            reader.declare(source.all)
            var common = common
            if reader.isGiven(keys.assumeAccuracy) { common.assumption.metres = reader.value(keys.assumeAccuracy) }
            if reader.isGiven(keys.uere) { common.uere = reader.value(keys.uere) }
            read.append(
                (reader.value(keys.type), reader.value(source.name), AgentProvider(&reader, keys, common, own)))
        }
        sources = read.indices.map { index in
            let (type, name, provider) = read[index]
            let isOnly = read.filter { $0.type == type }.count == 1
            return Source(
                name: name ?? (isOnly ? type.rawValue : "\(type.rawValue)-\(index + 1)"), provider: provider)
        }
        silence = reader.value(AgentKeys.fallBackAfter)
        proof = reader.value(AgentKeys.returnAfter)
    }
}

extension RemoteSourceSettings {
    fileprivate init(_ reader: inout ConfigurationReader, _ provider: ProviderKeys, _ own: OwnConnection) {
        let keys = provider.mqtt
        if reader.isGiven(keys.broker.url) {
            mqtt = MosquittoConfiguration(&reader, keys.broker, vehicle: own.vehicle)
        } else {
            mqtt = own.mqtt
            mqtt.clientID = MosquittoConfiguration.clientID(reader.value(keys.broker.clientID), of: own.vehicle)
            for key in keys.broker.all where key.path != keys.broker.clientID.path && reader.isGiven(key) {
                reader.report(
                    "has no effect without \(keys.broker.url.path), as the agent's own broker and credentials are used; write both, or remove it",
                    at: key, code: .conflict)
            }
        }
        mqtt.sessionExpiry = 0
        if mqtt.clientID == own.mqtt.clientID, mqtt.address == own.mqtt.address {
            reader.report(
                "is the agent's own mqtt.client-id; two connections to one broker need two names",
                at: keys.broker.clientID, code: .conflict)
        }
        subject = .vehicle(own.vehicle, own.root)
        readSubject(&reader, keys, own)
        if reader.isGiven(provider.assumeAccuracy) {
            reader.report(
                "has no effect with \(provider.type.path): mqtt, whose positions come with the accuracy that they have",
                at: provider.assumeAccuracy, code: .conflict)
        }
    }

    private mutating func readSubject(
        _ reader: inout ConfigurationReader, _ keys: RemoteSourceKeys, _ own: OwnConnection
    ) {
        let root = reader.value(keys.topicRoot)
        switch (reader.value(keys.vehicle), reader.value(keys.ownTracks)) {
        case (let vehicle?, nil):
            subject = .vehicle(vehicle, root)
            if vehicle == own.vehicle, root == own.root, mqtt.address == own.mqtt.address {
                reader.report(
                    "is this agent's own vehicle, which would hear itself; name another one", at: keys.vehicle,
                    code: .conflict)
            }
        case (nil, let topic?):
            subject = .ownTracks(topic: topic, staleAfter: reader.value(keys.staleAfter))
        case (nil, nil) where reader.isGiven(keys.vehicle) || reader.isGiven(keys.ownTracks): break
        case (nil, nil):
            reader.report(
                "is missing; write whose positions to take, for example \(keys.vehicle.path): van-042, or a phone's topic as \(keys.ownTracks.path)",
                at: keys.vehicle, code: .missing)
        case (_?, _?):
            reader.report(
                "stands beside \(keys.vehicle.path); keep one of them", at: keys.ownTracks, code: .conflict)
        }
    }
}
