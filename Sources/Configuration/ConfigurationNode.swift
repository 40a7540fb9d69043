/// A part of a configuration text, with its place in it.
public struct ConfigurationNode: Equatable, Sendable {
    public indirect enum Content: Equatable, Sendable {
        /// A value as written: nothing is taken for a number, a boolean or a date here.
        case scalar(String)
        /// A key without a value.
        case empty
        case sequence([ConfigurationNode])
        /// In the order of the text; each key once.
        case mapping([ConfigurationEntry])
        /// Something that was refused, and reported as such, when the text was read.
        case refused
    }

    public var content: Content
    public var origin: ConfigurationOrigin
    /// The keys that lead here, joined by dots; an element of a sequence is `[0]`.
    public var path: String

    public init(_ content: Content, at origin: ConfigurationOrigin, path: String) {
        self.content = content
        self.origin = origin
        self.path = path
    }

    /// The value of a key of this mapping; nil where there is none or this is none.
    public subscript(key: String) -> ConfigurationNode? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value
    }

    /// What this is called in a message.
    var kind: String {
        switch content {
        case .scalar(let text): "the value \(quoted(text))"
        case .empty: "empty"
        case .sequence: "a list"
        case .mapping: "a section"
        case .refused: "refused"
        }
    }
}

/// A key of a mapping, with its value.
public struct ConfigurationEntry: Equatable, Sendable {
    public var key: String
    public var keyOrigin: ConfigurationOrigin
    public var value: ConfigurationNode

    public init(_ key: String, at keyOrigin: ConfigurationOrigin, _ value: ConfigurationNode) {
        self.key = key
        self.keyOrigin = keyOrigin
        self.value = value
    }
}
