internal import Foundation

/// The real `fixcast-agent`, built together with the tests, with a configuration of its own.
public final class AgentProcess: Sendable {
    public let child: ChildProcess
    public let configurationFile: String

    /// Starts `fixcast-agent run` with `configuration`, a YAML text; `stateDirectory` is added as `outbox.directory`.
    public init(
        _ configuration: String, stateDirectory: String = "state", arguments: [String] = [],
        directory: TemporaryDirectory
    ) throws {
        let text = configuration + "\noutbox: { directory: \"\(directory.file(stateDirectory).path)\" }\n"
        configurationFile = try directory.write(text, to: "agent-\(UUID().uuidString.prefix(8)).yaml")
        child = try ChildProcess(
            BuiltProduct.path("fixcast-agent"), ["run", "-c", configurationFile] + arguments, directory: directory)
    }

    public var log: String { child.standardError }

    /// What the log's lines say, without the time that each begins with: a second may look like a degree.
    public var messages: [Substring] {
        log.split(separator: "\n").map { $0.drop { $0 != " " }.dropFirst() }
    }

    /// Waits until the log has a line with `text`.
    public func says(_ text: String, seconds: Double = 20) async -> Bool {
        await eventually(seconds: seconds) { self.log.contains(text) }
    }
}
