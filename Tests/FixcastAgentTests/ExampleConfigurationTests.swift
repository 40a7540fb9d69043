import Configuration
import Foundation
import Testing

@testable import FixcastAgent

/// `config/agent.example.yaml` is what users begin with: it holds every key, and each value that is not an example is
/// the default.
@Suite struct ExampleConfigurationTests {
    /// Keys whose value in the file is an example, not the default.
    private static let examples: Set<String> = ["vehicle", "mqtt.url"]

    private static func text() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("config/agent.example.yaml"), encoding: .utf8)
    }

    private static func tree(_ text: String) -> ConfigurationTree {
        ConfigurationTree(yaml: Array(text.utf8), file: "agent.example.yaml")
    }

    /// The file with the keys that it holds as comments (`# replay:`) written out.
    private static func withEverything() throws -> ConfigurationTree {
        let lines = try text().split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.prefixMatch(of: /#( +)[a-z-]+:( |$)/) == nil ? String(line) : " " + line.dropFirst()
        }
        return tree(lines.joined(separator: "\n"))
    }

    private static func problems(_ tree: ConfigurationTree) -> [String] {
        var reader = ConfigurationReader(tree, keys: AgentKeys.all)
        for section in reader.sections(AgentKeys.firstOf) { reader.declare(FirstOfKeys(section).all) }
        return reader.finish().map(\.description)
    }

    @Test func everyLineIsRightAsItStandsAndWithItsCommentsTakenAway() throws {
        #expect(try Self.problems(Self.tree(Self.text())) == [])
        #expect(try Self.problems(Self.withEverything()) == [])
    }

    @Test func everyKeyIsThere() throws {
        let tree = try Self.withEverything()
        for key in AgentKeys.all { #expect(Self.value(key.path, in: tree) != nil, "\(key.path) is missing") }
    }

    @Test func whatIsNoExampleIsTheDefault() throws {
        let tree = try Self.tree(Self.text())
        for key in AgentKeys.all where !Self.examples.contains(key.path) {
            guard let written = Self.value(key.path, in: tree), let text = key.defaultText else { continue }
            #expect(written == text, "\(key.path)")
        }
    }

    private static func value(_ path: String, in tree: ConfigurationTree) -> String? {
        var node = tree.root
        for part in path.split(separator: ".") {
            guard let next = node[String(part)] else { return nil }
            node = next
        }
        return switch node.content {
        case .scalar(let text): text
        case .sequence: "a list"
        case .empty, .mapping, .refused: nil
        }
    }
}
