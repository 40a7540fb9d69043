/// Where a value of the configuration was written.
public enum ConfigurationOrigin: Equatable, Sendable {
    /// In a file as a whole, for example one that cannot be read.
    case file(String)
    /// At a place in a file; line and column count from 1, the column in characters.
    case position(file: String, line: Int, column: Int)
    /// In an environment variable.
    case environment(String)
    /// Nowhere: the built-in default.
    case builtIn

    /// What sorts problems in the order of the text: the file from its top, then the environment.
    var order: (Int, Int, Int, String) {
        switch self {
        case .file: (0, 0, 0, "")
        case .position(_, let line, let column): (0, line, column, "")
        case .environment(let name): (1, 0, 0, name)
        case .builtIn: (2, 0, 0, "")
        }
    }
}

extension ConfigurationOrigin: CustomStringConvertible {
    public var description: String {
        switch self {
        case .file(let file): file
        case .position(let file, let line, let column): "\(file):\(line):\(column)"
        case .environment(let name): "environment \(name)"
        case .builtIn: "built-in default"
        }
    }
}
