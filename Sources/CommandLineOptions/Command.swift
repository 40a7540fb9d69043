/// One thing that a program does, for example `watch`.
public struct Command: Equatable, Sendable {
    public var name: String
    /// For the help, with a full stop.
    public var summary: String
    public var options: [Option]
    /// What the help calls what stands beside the options; empty where nothing may.
    public var operands: [String]

    public init(_ name: String, _ summary: String, options: [Option] = [], operands: [String] = []) {
        self.name = name
        self.summary = summary
        self.options = options
        self.operands = operands
    }
}

/// A program with its commands.
public struct Program: Equatable, Sendable {
    public var name: String
    public var version: String
    /// For the help, with a full stop.
    public var summary: String
    public var commands: [Command]
    /// What the program's exit codes mean, for the help.
    public var exitCodes: [ExitCode]

    public init(
        _ name: String, version: String, _ summary: String, commands: [Command],
        exitCodes: [ExitCode] = [.success, .failure, .usage]
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.commands = commands
        self.exitCodes = exitCodes
    }
}

/// How a program ends; the numbers above 1 are those of `sysexits.h`.
public enum ExitCode: Int32, Equatable, Sendable {
    case success = 0
    case failure = 1
    /// The command line is wrong.
    case usage = 64
    /// A file that is needed cannot be read.
    case noInput = 66
    /// A service that is needed, for example the broker, does not answer or refuses.
    case unavailable = 69
    /// A file that is to be written cannot be made, or is there already.
    case cannotCreate = 73
    /// The output cannot be written.
    case inputOutput = 74
    /// The configuration is wrong.
    case configuration = 78

    var meaning: String {
        switch self {
        case .success: "done"
        case .failure: "failed"
        case .usage: "the command line is wrong"
        case .noInput: "a file that is needed cannot be read"
        case .unavailable: "a service that is needed does not answer or refuses"
        case .cannotCreate: "a file cannot be made, or is there already"
        case .inputOutput: "the output cannot be written"
        case .configuration: "the configuration is wrong"
        }
    }
}
