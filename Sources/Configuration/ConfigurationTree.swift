/// A configuration text as a tree in which each part knows its place, with all that is wrong with it as a text.
///
/// The text is YAML without what lets one place change the meaning of another: anchors, aliases, merge keys, tags and
/// further documents are refused. Of a text that breaks off, the part before the break is kept, so that its values are
/// checked too.
public struct ConfigurationTree: Equatable, Sendable {
    /// What a configuration may be at most; more is refused rather than read.
    public enum Limit {
        public static let bytes = 1 << 20
        public static let depth = 32
        public static let nodes = 20_000
    }

    /// A mapping; empty where there was no text.
    public var root: ConfigurationNode
    /// The name of the file, as it appears in messages.
    public var file: String
    /// In the order of the text.
    public var problems: [ConfigurationProblem]
    /// Whether the text was read to its end.
    public var isComplete: Bool

    init(root: ConfigurationNode, file: String, problems: [ConfigurationProblem], isComplete: Bool) {
        self.root = root
        self.file = file
        self.problems = problems
        self.isComplete = isComplete
    }

    /// Reads YAML from memory; `file` names it in messages.
    public init(yaml: [UInt8], file: String) {
        guard yaml.count <= Limit.bytes else {
            self.init(
                file: file, .tooLarge, "is larger than \(Limit.bytes) bytes, the most that a configuration may have")
            return
        }
        var builder = TreeBuilder(file: file)
        parseYAML(yaml, into: &builder)
        self = builder.finish()
    }

    /// Reads a YAML file. A file that cannot be read is a problem of the tree, like one within it.
    public init(contentsOf path: String) {
        switch readFile(path, limit: Limit.bytes + 1) {
        case .success(let bytes): self.init(yaml: bytes, file: path)
        case .failure(let failure): self.init(file: path, .unreadable, failure.message)
        }
    }

    private init(file: String, _ code: ConfigurationProblem.Code, _ message: String) {
        self.init(
            root: ConfigurationNode(.mapping([]), at: .file(file), path: ""), file: file,
            problems: [ConfigurationProblem(code, at: .file(file), key: "", message)], isComplete: false)
    }
}
