internal import Configuration
internal import LocationProviders

/// What `record` takes from the agent's configuration: the provider and the log; nothing of a broker.
public struct RecorderSettings: Equatable, Sendable {
    var provider: ProviderSettings
    var kind: RecordingKind
    var logLevel: LogLevel
    var logFormat: LogFormat

    /// Reads a configuration file, with overrides from `environment`.
    ///
    /// - Throws: everything that is wrong, in the order of the text; also that the provider has no raw stream.
    public static func read(
        file: String, environment: [String: String]
    ) throws(ConfigurationProblems) -> RecorderSettings {
        try read(ConfigurationTree(contentsOf: file), environment: environment)
    }

    static func read(
        _ tree: ConfigurationTree, environment: [String: String]
    ) throws(ConfigurationProblems) -> RecorderSettings {
        var reader = ConfigurationReader(tree, keys: AgentKeys.all, environment: environment)
        let type = reader.value(AgentKeys.provider.type)
        let provider = ProviderSettings(&reader, AgentKeys.provider, CommonProviderSettings())
        for section in reader.sections(AgentKeys.firstOf) { reader.declare(FirstOfKeys(section).all) }
        if provider?.recordingKind == nil {
            reader.report(
                "is \(type.rawValue), which has no raw stream to record; record takes gpsd, nmea or command, of a first-of one of them by itself",
                at: AgentKeys.provider.type, code: .conflict)
        }
        let (level, format) = (reader.value(AgentKeys.logLevel), reader.value(AgentKeys.logFormat))
        let problems = reader.finish()
        guard problems.isEmpty, let provider, let kind = provider.recordingKind else {
            throw ConfigurationProblems(problems: problems)
        }
        return RecorderSettings(provider: provider, kind: kind, logLevel: level, logFormat: format)
    }
}
