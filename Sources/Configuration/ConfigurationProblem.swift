/// One thing that is wrong in the configuration, and what would be right.
public struct ConfigurationProblem: Error, Equatable, Sendable {
    /// What kind of thing is wrong; stable, for programs.
    public enum Code: String, Equatable, Sendable {
        /// The file cannot be read.
        case unreadable
        /// The text is larger, deeper or has more parts than any configuration.
        case tooLarge
        /// The text is not YAML.
        case syntax
        /// YAML that a configuration has no use for: anchors, aliases, tags, merge keys, several documents.
        case unsupported
        case duplicateKey
        case unknownKey
        /// A key without which there is no configuration.
        case missing
        /// A section where a value belongs, or the reverse.
        case wrongKind
        case invalidValue
        case missingUnit
        case unknownUnit
        case outOfRange
        /// A value that is right by itself but not beside another.
        case conflict
    }

    public var code: Code
    public var origin: ConfigurationOrigin
    /// The key's path, its parts joined by dots; empty for the text as a whole.
    public var key: String
    /// What is wrong and what would be right.
    public var message: String

    public init(_ code: Code, at origin: ConfigurationOrigin, key: String, _ message: String) {
        self.code = code
        self.origin = origin
        self.key = key
        self.message = message
    }
}

extension ConfigurationProblem: CustomStringConvertible {
    /// For example `agent.yaml:12:18: reporting.moving.min-interval: "5" has no unit; write for example 5s`.
    public var description: String {
        key.isEmpty ? "\(origin): \(message)" : "\(origin): \(printable(key)): \(message)"
    }
}

/// The text in quotes, for a message: short, and without characters that a terminal would obey.
func quoted(_ text: String) -> String { "\"\(printable(text))\"" }

func printable(_ text: String) -> String {
    var result = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
        if count == 60 { return result + "…" }
        switch scalar {
        case "\n": result += "\\n"
        case "\t": result += "\\t"
        case "\"": result += "\\\""
        case _ where scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format:
            result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
