/// Which program to run, and how patient to be with it.
public struct CommandSettings: Equatable, Sendable {
    /// The program, looked up in PATH where it is no path, and its arguments; no shell reads them.
    public var run: [String]
    /// Without a line about a position for this long, availability is `noFix`.
    public var silence: Duration

    public init(run: [String], silence: Duration = .seconds(10)) {
        self.run = run
        self.silence = silence
    }

    /// What notices call it.
    var name: String { run.first ?? "" }
}

/// How a program ended.
public enum CommandExit: Equatable, Sendable {
    case status(Int32)
    case signal(Int32)
}
