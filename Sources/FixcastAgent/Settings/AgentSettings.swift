public import Configuration
internal import Delivery
internal import FleetWire
internal import LocationProviders
internal import MessageTransport
internal import MosquittoTransport
internal import Outbox
internal import Positioning
internal import Reporting

/// The agent's configuration, read and checked.
public struct AgentSettings: Equatable, Sendable {
    var vehicle: VehicleID
    var provider: AgentProvider
    var policy: ReportingPolicy
    var fixLossDelay: Duration
    var mqtt: MosquittoConfiguration
    var root: TopicRoot
    var qos: QualityOfService
    var retain: RetainMode
    /// Seconds after which the broker forgets the retained location; `nil`: never.
    var locationExpiry: UInt32?
    var demandLimits: DemandLimits
    /// `nil`: no budget.
    var bytesPerDay: UInt64?
    var healthInterval: Duration
    var outbox: OutboxSettings
    var delivery: DeliverySettings
    var liveEncoding: ReportEncoding
    var trackEncoding: ReportEncoding
    var logLevel: LogLevel
    var logFormat: LogFormat

    /// Reads a configuration file, with overrides from `environment`, and what it refers to.
    ///
    /// - Throws: everything that is wrong, in the order of the text.
    public static func read(
        file: String, environment: [String: String]
    ) throws(ConfigurationProblems) -> AgentSettings {
        try read(ConfigurationTree(contentsOf: file), environment: environment)
    }

    static func read(
        _ tree: ConfigurationTree, environment: [String: String]
    ) throws(ConfigurationProblems) -> AgentSettings {
        var reader = ConfigurationReader(tree, keys: AgentKeys.all, environment: environment)
        let settings = AgentSettings(&reader)
        let problems = reader.finish()
        if !problems.isEmpty { throw ConfigurationProblems(problems: problems) }
        return settings
    }

    private init(_ reader: inout ConfigurationReader) {
        vehicle = reader.value(AgentKeys.vehicle)
        policy = ReportingPolicy(&reader)
        fixLossDelay = reader.value(AgentKeys.fixLossDelay)
        mqtt = MosquittoConfiguration(&reader, AgentKeys.broker, vehicle: vehicle)
        mqtt.acknowledgeTimeout = reader.value(AgentKeys.acknowledgeTimeout).wholeNanoseconds
        mqtt.sessionExpiry = UInt32(clamping: reader.value(AgentKeys.sessionExpiry).wholeMilliseconds / 1000)
        mqtt.willDelay = UInt32(clamping: reader.value(AgentKeys.willDelay).wholeMilliseconds / 1000)
        root = reader.value(AgentKeys.topicRoot)
        provider = AgentProvider(&reader, vehicle: vehicle, root: root, mqtt: mqtt)
        qos = reader.value(AgentKeys.qos) == .atMostOnce ? .atMostOnce : .atLeastOnce
        retain = reader.value(AgentKeys.retain)
        let expiry = reader.value(AgentKeys.locationExpiry).wholeMilliseconds / 1000
        locationExpiry = expiry == 0 ? nil : UInt32(clamping: expiry)
        demandLimits = DemandLimits(
            isAllowed: reader.value(AgentKeys.acceptsDemand),
            interval: reader.value(AgentKeys.demandInterval).inSeconds,
            metres: reader.value(AgentKeys.demandBound), lease: reader.value(AgentKeys.demandLease).inSeconds,
            accuracy: reader.value(AgentKeys.demandAccuracy))
        let budget = (reader.value(AgentKeys.dataBudget) * 86_400).rounded()
        bytesPerDay = budget == 0 ? nil : UInt64(budget)
        healthInterval = reader.value(AgentKeys.healthInterval)
        outbox = OutboxSettings(&reader)
        delivery = DeliverySettings(&reader)
        liveEncoding = reader.value(OutboxKeys.liveEncoding)
        trackEncoding = reader.value(OutboxKeys.encoding)
        logLevel = reader.value(AgentKeys.logLevel)
        logFormat = reader.value(AgentKeys.logFormat)
    }
}

/// All that is wrong with a configuration, never empty.
public struct ConfigurationProblems: Error, Equatable, Sendable, CustomStringConvertible {
    public var problems: [ConfigurationProblem]

    /// A line for each.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
