internal import Spelling

/// Reads declared keys out of a configuration text and the environment, and gathers everything that is wrong.
///
/// A wrong value is reported and its default stands in, so that one pass finds all problems; what was read may be used
/// only where ``finish()`` reports none. An environment variable overrides the text.
public struct ConfigurationReader {
    private let tree: ConfigurationTree
    private var keys: [any DeclaredKey]
    private let environment: [String: String]
    private let prefix: String
    private var problems: [ConfigurationProblem]
    private var read: Set<String> = []

    /// `keys` are all that the text may have; `environment` is where overrides named `prefix_…` are looked up.
    public init(
        _ tree: ConfigurationTree, keys: [any DeclaredKey], environment: [String: String] = [:],
        environmentPrefix prefix: String = "FIXCAST_AGENT"
    ) {
        self.tree = tree
        self.keys = keys
        self.environment = environment
        self.prefix = prefix
        self.problems = tree.problems
    }

    /// Adds keys that only the text itself makes known: those of a list's elements.
    public mutating func declare(_ more: [any DeclaredKey]) { keys += more }

    /// The sections that a list has, as the beginnings of their keys' paths, for example `provider.first-of[0]`; empty
    /// where there is no list. What is no section is reported.
    public mutating func sections(_ key: ConfigurationListKey) -> [String] {
        elements(of: key).compactMap { element in
            if case .mapping = element.content { return element.path }
            wrongElement(element, of: key)
            return nil
        }
    }

    /// The values of a list, in their order; from the environment, the words of the text. Empty where there is no
    /// list. What is no value is reported.
    public mutating func texts(_ key: ConfigurationListKey) -> [String] {
        if let text = environment[key.environmentName(prefix: prefix)] {
            return text.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        return elements(of: key).compactMap { element in
            if case .scalar(let text) = element.content { return text }
            wrongElement(element, of: key)
            return nil
        }
    }

    /// The value of a key, or its default.
    public mutating func value<Value>(_ key: ConfigurationKey<Value>) -> Value {
        guard let (text, origin) = text(of: key) else { return key.fallback }
        do {
            return try key.format.read(text)
        } catch {
            // A key that is read twice is reported once.
            if read.insert(key.path).inserted {
                problems.append(ConfigurationProblem(error.code, at: origin, key: key.path, error.message))
            }
            return key.fallback
        }
    }

    /// Whether the key is written anywhere, rightly or not.
    public func isGiven(_ key: some DeclaredKey) -> Bool { origin(of: key) != .builtIn }

    /// Where the value of a key comes from.
    public func origin(of key: some DeclaredKey) -> ConfigurationOrigin {
        let name = key.environmentName(prefix: prefix)
        if environment[name] != nil { return .environment(name) }
        return node(at: key.path)?.origin ?? .builtIn
    }

    /// Reports what only the caller can know of a key's value, for example that it does not go with another's.
    public mutating func report(
        _ message: String, at key: some DeclaredKey, code: ConfigurationProblem.Code = .invalidValue
    ) {
        let origin = origin(of: key)
        problems.append(
            ConfigurationProblem(code, at: origin == .builtIn ? .file(tree.file) : origin, key: key.path, message))
    }

    /// Checks what has not been read and looks for unknown keys; all problems in the order of the text.
    public mutating func finish() -> [ConfigurationProblem] {
        for key in keys where !read.contains(key.path) && !(key is ConfigurationListKey) {
            guard let (text, origin) = text(of: key), let wrong = key.check(text) else { continue }
            problems.append(ConfigurationProblem(wrong.code, at: origin, key: key.path, wrong.message))
        }
        findUnknown(in: tree.root)
        findUnknownVariables()
        var seen: [ConfigurationProblem] = []
        for problem in problems where !seen.contains(problem) { seen.append(problem) }
        problems = seen.sorted { $0.origin.order < $1.origin.order }
        return problems
    }

    // MARK: Values

    /// The text of a key's value and where it stands; nil, with the reason reported, where there is none.
    private mutating func text(of key: any DeclaredKey) -> (String, ConfigurationOrigin)? {
        let name = key.environmentName(prefix: prefix)
        if let text = environment[name] { return (text, .environment(name)) }
        guard let node = node(at: key.path) else {
            if key.isRequired, tree.isComplete {
                once(
                    ConfigurationProblem(
                        .missing, at: .file(tree.file), key: key.path,
                        "is missing; write for example \(key.path): \(key.example)"), for: key)
            }
            return nil
        }
        switch node.content {
        case .scalar(let text): return (text, node.origin)
        case .refused: break
        case .empty:
            once(
                ConfigurationProblem(
                    .invalidValue, at: node.origin, key: key.path,
                    "has no value; write for example \(key.example), or remove the key"), for: key)
        case .sequence, .mapping:
            once(
                ConfigurationProblem(
                    .wrongKind, at: node.origin, key: key.path,
                    "is \(node.kind); it takes one value, for example \(key.example)"), for: key)
        }
        return nil
    }

    private mutating func once(_ problem: ConfigurationProblem, for key: any DeclaredKey) {
        if read.insert(key.path).inserted { problems.append(problem) }
    }

    private mutating func elements(of key: ConfigurationListKey) -> [ConfigurationNode] {
        guard let node = node(at: key.path) else { return [] }
        switch node.content {
        case .sequence(let elements) where !elements.isEmpty: return elements
        case .refused: break
        case .empty, .sequence:
            once(
                ConfigurationProblem(
                    .invalidValue, at: node.origin, key: key.path,
                    "is empty; write for example \(key.example), or remove the key"), for: key)
        case .scalar, .mapping:
            once(
                ConfigurationProblem(
                    .wrongKind, at: node.origin, key: key.path,
                    "is \(node.kind); it takes a list, for example \(key.example)"), for: key)
        }
        return []
    }

    private mutating func wrongElement(_ element: ConfigurationNode, of key: ConfigurationListKey) {
        if element.content == .refused { return }
        problems.append(
            ConfigurationProblem(
                .wrongKind, at: element.origin, key: element.path,
                "is \(element.kind); the list looks like \(key.example)"))
    }

    /// The part at `path`, whose elements of lists are written as in `first-of[0].type`.
    private func node(at path: String) -> ConfigurationNode? {
        var node = tree.root
        for part in path.split(separator: ".") {
            let name = part.prefix { $0 != "[" }
            guard let next = node[String(name)] else { return nil }
            node = next
            for index in part.dropFirst(name.count).split(whereSeparator: { $0 == "[" || $0 == "]" }) {
                guard case .sequence(let elements) = node.content, let index = Int(index), index < elements.count
                else { return nil }
                node = elements[index]
            }
        }
        return node
    }

    // MARK: Unknown keys

    private mutating func findUnknown(in section: ConfigurationNode) {
        guard case .mapping(let entries) = section.content else { return }
        for entry in entries {
            let path = entry.value.path
            if keys.contains(where: { $0.path == path }) {
                if case .sequence(let elements) = entry.value.content {
                    for element in elements { findUnknown(in: element) }
                }
                continue
            }
            if keys.contains(where: { $0.path.hasPrefix(path + ".") }) {
                switch entry.value.content {
                case .mapping: findUnknown(in: entry.value)
                case .empty, .refused: break
                case .scalar, .sequence:
                    problems.append(
                        ConfigurationProblem(
                            .wrongKind, at: entry.value.origin, key: path,
                            "is \(entry.value.kind); it is a section with the keys \(children(of: path).joined(separator: ", "))"
                        ))
                }
                continue
            }
            problems.append(
                ConfigurationProblem(
                    .unknownKey, at: entry.keyOrigin, key: path,
                    "is no known key\(suggestion(for: entry.key, in: section.path))"))
        }
    }

    /// The keys of a section, in the order of their declaration.
    private func children(of section: String) -> [String] {
        let start = section.isEmpty ? "" : section + "."
        var names: [String] = []
        for key in keys where key.path.hasPrefix(start) {
            let name = String(key.path.dropFirst(start.count).prefix { $0 != "." && $0 != "[" })
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private func suggestion(for name: String, in section: String) -> String {
        let siblings = children(of: section)
        // A secret or a certificate is not written here, but the file that holds it.
        if let file = siblings.first(where: { $0 == name + "-file" }) { return "; did you mean \(file)?" }
        if let meant = Spelling.nearest(to: name, in: siblings) { return "; did you mean \(meant)?" }
        // The right word in the wrong section is the next most frequent slip.
        if let elsewhere = keys.first(where: { $0.path == name || $0.path.hasSuffix("." + name) }) {
            return "; did you mean \(elsewhere.path)?"
        }
        return siblings.isEmpty ? "" : "; known here: \(siblings.joined(separator: ", "))"
    }

    private mutating func findUnknownVariables() {
        let known = Set(keys.map { $0.environmentName(prefix: prefix) })
        for name in environment.keys where name.hasPrefix(prefix + "_") && !known.contains(name) {
            let hint = Spelling.nearest(to: name, in: known.sorted()).map { "; did you mean \($0)?" } ?? ""
            problems.append(
                ConfigurationProblem(.unknownKey, at: .environment(name), key: "", "sets no known key\(hint)"))
        }
    }
}
