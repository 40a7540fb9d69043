/// What a command line asks for. Who parses prints and exits; this library does neither.
public enum Outcome: Equatable, Sendable {
    case run(Invocation)
    /// Print to the standard output and exit 0.
    case help(String)
    /// Print to the standard output and exit 0.
    case version(String)
    /// Print to the standard error and exit with ``ExitCode/usage``.
    case usageError(String)
}

/// A command with the options that were given.
public struct Invocation: Equatable, Sendable {
    public var command: String
    /// What stood beside the options, in its order.
    public var operands: [String]
    var given: [String: [String]]

    /// The argument of an option; nil where the option was not given.
    public subscript(_ option: String) -> String? { given[option]?.last }

    /// All arguments of an option that may be repeated.
    public func all(_ option: String) -> [String] { given[option] ?? [] }

    public func isGiven(_ option: String) -> Bool { given[option] != nil }
}
