/// An option of a command, for example `-c, --config FILE`.
public struct Option: Equatable, Sendable {
    /// The long name, without its dashes.
    public var name: String
    /// The letter, where it has one; ASCII.
    public var short: Character?
    /// What the help calls the argument; nil for an option without one.
    public var argument: String?
    /// For the help, without a full stop.
    public var help: String
    /// The arguments that are right; empty where any is.
    public var choices: [String]
    public var isRequired: Bool
    public var isRepeatable: Bool

    public init(
        _ name: String, short: Character? = nil, argument: String? = nil, choices: [String] = [],
        required: Bool = false, repeatable: Bool = false, _ help: String
    ) {
        self.name = name
        self.short = short
        self.argument = argument
        self.choices = choices
        self.isRequired = required
        self.isRepeatable = repeatable
        self.help = help
    }

    static let help = Option("help", short: "h", "show this help and exit")
    static let version = Option("version", short: "V", "show the version and exit")

    /// For example `--config FILE`.
    var usage: String { "--" + name + (argument.map { " " + $0 } ?? "") }
}
