/// How much a log says.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case debug, info, warning, error

    private var rank: Int { LogLevel.allCases.firstIndex(of: self)! }

    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }
}

/// How a log line is written.
public enum LogFormat: String, Sendable, CaseIterable {
    case text, json
}
