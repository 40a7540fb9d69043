public import Configuration
internal import FleetWire
internal import LocationProviders
internal import MessageTransport
internal import MosquittoTransport
internal import Positioning
internal import Reporting

/// The agent's configuration, read and checked.
public struct AgentSettings: Equatable, Sendable {
    var vehicle: VehicleID
    var provider: ProviderSettings
    var policy: ReportingPolicy
    var fixLossDelay: Duration
    var mqtt: MosquittoConfiguration
    var root: TopicRoot
    var qos: QualityOfService
    var retain: RetainMode
    /// Seconds after which the broker forgets the retained location; `nil`: never.
    var locationExpiry: UInt32?
    var stateDirectory: String
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
        provider = ProviderSettings(&reader)
        policy = ReportingPolicy(&reader)
        fixLossDelay = reader.value(AgentKeys.fixLossDelay)
        mqtt = MosquittoConfiguration(&reader, vehicle: vehicle)
        root = reader.value(AgentKeys.topicRoot)
        qos = reader.value(AgentKeys.qos) == .atMostOnce ? .atMostOnce : .atLeastOnce
        retain = reader.value(AgentKeys.retain)
        let expiry = reader.value(AgentKeys.locationExpiry).wholeMilliseconds / 1000
        locationExpiry = expiry == 0 ? nil : UInt32(clamping: expiry)
        stateDirectory = reader.value(AgentKeys.directory)
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

extension ProviderSettings {
    fileprivate init(_ reader: inout ConfigurationReader) {
        let assumed = reader.value(AgentKeys.assumeAccuracy)
        let common = CommonProviderSettings(
            assumption: AccuracyAssumption(metres: assumed), uere: reader.value(AgentKeys.uere))
        switch reader.value(AgentKeys.providerType) {
        case .gpsd:
            let address = reader.value(AgentKeys.gpsdAddress)
            self.init(source: .gpsd(GPSDSettings(host: address.host, port: address.port)), common: common)
        case .replay:
            let file = reader.value(AgentKeys.replayFile)
            if file == nil {
                reader.report(
                    "is missing; provider.type is replay, which needs a log, for example /var/log/drive.nmea",
                    at: AgentKeys.replayFile, code: .missing)
            }
            self.init(
                source: .replay(
                    ReplaySettings(
                        file: file ?? "", speed: reader.value(AgentKeys.replaySpeed),
                        loops: reader.value(AgentKeys.replayLoop), time: reader.value(AgentKeys.replayTime))),
                common: common)
        case .simulator:
            self.init(
                source: .simulator(
                    SimulatorSettings(
                        seed: UInt64(reader.value(AgentKeys.simulatorSeed)),
                        rate: reader.value(AgentKeys.simulatorRate))), common: common)
        }
    }
}

extension ReportingPolicy {
    fileprivate init(_ reader: inout ConfigurationReader) {
        let maxAccuracy = reader.value(AgentKeys.maxAccuracy)
        let maxAge = reader.value(AgentKeys.maxAge)
        self.init(
            checks: Checks(
                maxAccuracy: maxAccuracy == 0 ? nil : maxAccuracy, maxAge: maxAge == .zero ? nil : maxAge,
                rejectsNullIsland: reader.value(AgentKeys.nullIsland) == .reject),
            unreliable: reader.value(AgentKeys.unreliable) == .publish ? .publish : .drop,
            minInterval: reader.value(AgentKeys.minInterval), maxInterval: reader.value(AgentKeys.maxInterval),
            minDistance: reader.value(AgentKeys.minDistance))
        if minInterval > maxInterval {
            reader.report(
                "is longer than reporting.moving.max-interval; write at most that", at: AgentKeys.minInterval,
                code: .conflict)
        }
    }
}

extension MosquittoConfiguration {
    fileprivate init(_ reader: inout ConfigurationReader, vehicle: VehicleID) {
        let id = reader.value(AgentKeys.clientID)
        let parts = id.split(separator: "{vehicle}", omittingEmptySubsequences: false)
        self.init(address: reader.value(AgentKeys.url), clientID: parts.joined(separator: vehicle.text))
        version = reader.value(AgentKeys.version)
        keepAlive = Int(reader.value(AgentKeys.keepAlive).wholeMilliseconds / 1000)
        acknowledgeTimeout = reader.value(AgentKeys.acknowledgeTimeout).wholeNanoseconds
        sessionExpiry = UInt32(clamping: reader.value(AgentKeys.sessionExpiry).wholeMilliseconds / 1000)
        willDelay = UInt32(clamping: reader.value(AgentKeys.willDelay).wholeMilliseconds / 1000)
        username = reader.value(AgentKeys.username)
        readPassword(&reader)
        readTLS(&reader)
    }

    private mutating func readPassword(_ reader: inout ConfigurationReader) {
        guard let file = reader.value(AgentKeys.passwordFile) else { return }
        if username == nil {
            reader.report(
                "is given without mqtt.username; write both", at: AgentKeys.passwordFile, code: .conflict)
        }
        do throws(DurableFile.Failure) {
            guard let bytes = try DurableFile.read(file) else {
                return reader.report("there is no file \(file)", at: AgentKeys.passwordFile, code: .unreadable)
            }
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            if line.isEmpty {
                reader.report("the first line of \(file) is empty; it is the password", at: AgentKeys.passwordFile)
            }
            password = String(decoding: line, as: UTF8.self)
        } catch {
            reader.report(
                "\(error.path) cannot be read: \(error.reason)", at: AgentKeys.passwordFile, code: .unreadable)
        }
    }

    private mutating func readTLS(_ reader: inout ConfigurationReader) {
        tls.authorityFile = readable(AgentKeys.caFile, &reader)
        tls.certificateFile = readable(AgentKeys.certificateFile, &reader)
        tls.keyFile = readable(AgentKeys.keyFile, &reader)
        tls.applicationProtocol = reader.value(AgentKeys.alpn)
        if (tls.certificateFile == nil) != (tls.keyFile == nil) {
            let given = tls.certificateFile == nil ? AgentKeys.keyFile : AgentKeys.certificateFile
            reader.report(
                "stands alone; mqtt.certificate-file and mqtt.key-file go together", at: given, code: .conflict)
        }
        guard !address.usesTLS else { return }
        for key in [AgentKeys.caFile, AgentKeys.certificateFile, AgentKeys.keyFile, AgentKeys.alpn]
        where reader.isGiven(key) {
            reader.report(
                "has no effect without TLS; write mqtt.url: mqtts://\(address.host), or remove it", at: key,
                code: .conflict)
        }
    }

    /// The path of a file that can be read.
    private func readable(_ key: ConfigurationKey<String?>, _ reader: inout ConfigurationReader) -> String? {
        guard let path = reader.value(key) else { return nil }
        do throws(DurableFile.Failure) {
            if try DurableFile.read(path) == nil {
                reader.report("there is no file \(path)", at: key, code: .unreadable)
            }
        } catch {
            reader.report("\(path) cannot be read: \(error.reason)", at: key, code: .unreadable)
        }
        return path
    }
}
