/// Builds a ``ConfigurationTree`` from what a parser meets in a text, one after the other.
struct TreeBuilder {
    struct Position {
        /// From 1.
        var line: Int
        var column: Int
    }

    /// What a parser can say of a part besides its content.
    struct Decoration {
        var anchor: String?
        var tag: String?
    }

    private enum Container {
        case sequence
        case mapping
    }

    private struct Level {
        var container: Container
        var origin: ConfigurationOrigin
        var path: String
        var elements: [ConfigurationNode] = []
        var entries: [ConfigurationEntry] = []
        var known: [String: ConfigurationOrigin] = [:]
        /// The key that waits for its value; `keeps` is false where the entry is refused.
        var pending: (key: String, origin: ConfigurationOrigin, path: String, keeps: Bool)?

        var node: ConfigurationNode {
            ConfigurationNode(
                container == .sequence ? .sequence(elements) : .mapping(entries), at: origin, path: path)
        }
    }

    private let file: String
    private var levels: [Level] = []
    private var root: ConfigurationNode?
    private var problems: [ConfigurationProblem] = []
    private var nodes = 0
    private var documents = 0
    private var isComplete = false

    init(file: String) { self.file = file }

    // MARK: Events. Each answers whether to go on.

    mutating func documentStarts(at position: Position) -> Bool {
        documents += 1
        if documents > 1 {
            report(
                .unsupported, at: position, "a second document begins; a configuration is one document: remove the ---")
        }
        return documents == 1
    }

    mutating func scalar(
        _ text: String, isPlain: Bool, _ decoration: Decoration, at position: Position
    ) -> Bool {
        if case .mapping? = levels.last?.container, levels[levels.count - 1].pending == nil {
            refuse(decoration, at: position)
            return key(text, isPlain: isPlain, at: position)
        }
        refuse(decoration, at: position)
        let isEmpty = isPlain && (text.isEmpty || text == "~")
        return add(isEmpty ? .empty : .scalar(text), at: position)
    }

    mutating func alias(_ name: String, at position: Position) -> Bool {
        report(.unsupported, at: position, "*\(printable(name)) is an alias; write the value out here instead")
        if case .mapping? = levels.last?.container, levels[levels.count - 1].pending == nil {
            levels[levels.count - 1].pending = ("", origin(position), nextPath, false)
            return true
        }
        return add(.refused, at: position)
    }

    mutating func sequenceStarts(_ decoration: Decoration, at position: Position) -> Bool {
        starts(.sequence, decoration, at: position)
    }

    mutating func mappingStarts(_ decoration: Decoration, at position: Position) -> Bool {
        starts(.mapping, decoration, at: position)
    }

    mutating func containerEnds() {
        guard let level = levels.popLast() else { return }
        attach(level.node)
    }

    mutating func textEnds() { isComplete = true }

    mutating func syntaxError(_ message: String, at position: Position) {
        report(.syntax, at: position, message)
    }

    // MARK: The result

    mutating func finish() -> ConfigurationTree {
        while let level = levels.popLast() {
            // What broke off in the middle of a list is no value to judge; a section's keys are.
            var node = level.node
            if level.container == .sequence { node.content = .refused }
            attach(node)
        }
        var node = root ?? ConfigurationNode(.mapping([]), at: .file(file), path: "")
        switch node.content {
        case .mapping: break
        case .empty, .refused: node.content = .mapping([])
        case .scalar, .sequence:
            problems.append(
                ConfigurationProblem(
                    .wrongKind, at: node.origin, key: "",
                    "the text is \(node.kind); a configuration has keys, for example vehicle: van-042"))
            node.content = .mapping([])
        }
        return ConfigurationTree(root: node, file: file, problems: problems, isComplete: isComplete)
    }

    // MARK: Parts

    private mutating func key(_ text: String, isPlain: Bool, at position: Position) -> Bool {
        let top = levels.count - 1
        var keeps = true
        let path = levels[top].path.isEmpty ? text : levels[top].path + "." + text
        if isPlain, text == "<<" {
            keeps = false
            report(.unsupported, at: position, "<< merges another section; write its keys out here instead")
        } else if text.isEmpty {
            keeps = false
            report(.invalidValue, at: position, "a key is empty")
        } else if let first = levels[top].known[text] {
            keeps = false
            problems.append(
                ConfigurationProblem(
                    .duplicateKey, at: origin(position), key: path,
                    "was given before, at \(first.place); keep one of them"))
        } else {
            levels[top].known[text] = origin(position)
        }
        levels[top].pending = (text, origin(position), path, keeps)
        return count(at: position)
    }

    private mutating func starts(_ container: Container, _ decoration: Decoration, at position: Position) -> Bool {
        refuse(decoration, at: position)
        guard count(at: position) else { return false }
        guard levels.count < ConfigurationTree.Limit.depth else {
            report(.tooLarge, at: position, "is nested deeper than \(ConfigurationTree.Limit.depth) levels")
            return false
        }
        let path = nextPath
        if case .mapping? = levels.last?.container, levels[levels.count - 1].pending == nil {
            report(.unsupported, at: position, "a section or list stands where a key belongs")
            return false
        }
        levels.append(Level(container: container, origin: origin(position), path: path))
        return true
    }

    private mutating func add(_ content: ConfigurationNode.Content, at position: Position) -> Bool {
        attach(ConfigurationNode(content, at: origin(position), path: nextPath))
        return count(at: position)
    }

    private mutating func attach(_ node: ConfigurationNode) {
        guard !levels.isEmpty else {
            root = node
            return
        }
        let top = levels.count - 1
        switch levels[top].container {
        case .sequence: levels[top].elements.append(node)
        case .mapping:
            guard let pending = levels[top].pending else { return }
            levels[top].pending = nil
            if pending.keeps {
                levels[top].entries.append(ConfigurationEntry(pending.key, at: pending.origin, node))
            }
        }
    }

    /// The path of the part that comes next.
    private var nextPath: String {
        guard let level = levels.last else { return "" }
        return switch level.container {
        case .sequence: "\(level.path)[\(level.elements.count)]"
        case .mapping: level.pending?.path ?? level.path
        }
    }

    private mutating func count(at position: Position) -> Bool {
        nodes += 1
        guard nodes > ConfigurationTree.Limit.nodes else { return true }
        report(.tooLarge, at: position, "has more than \(ConfigurationTree.Limit.nodes) keys and values")
        return false
    }

    private mutating func refuse(_ decoration: Decoration, at position: Position) {
        if let anchor = decoration.anchor {
            report(
                .unsupported, at: position, "&\(printable(anchor)) is an anchor; a configuration has none: remove it")
        }
        if let tag = decoration.tag {
            report(.unsupported, at: position, "\(printable(tag)) is a tag; a configuration has none: remove it")
        }
    }

    private mutating func report(_ code: ConfigurationProblem.Code, at position: Position, _ message: String) {
        problems.append(ConfigurationProblem(code, at: origin(position), key: nextPath, message))
    }

    private func origin(_ position: Position) -> ConfigurationOrigin {
        .position(file: file, line: position.line, column: position.column)
    }
}

extension ConfigurationOrigin {
    /// The place without the file's name.
    fileprivate var place: String {
        if case .position(_, let line, let column) = self { "line \(line), column \(column)" } else { description }
    }
}
