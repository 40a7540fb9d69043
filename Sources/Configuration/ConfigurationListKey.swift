/// A key whose value is a list: of sections, which have keys of their own, or of plain values.
public struct ConfigurationListKey: DeclaredKey {
    public let path: String
    public let summary: String
    public let example: String
    public var formatName: String { "list" }
    public var defaultText: String? { nil }
    public var isRequired: Bool { false }

    public init(_ path: String, example: String, _ summary: String) {
        self.path = path
        self.example = example
        self.summary = summary
    }

    /// A list has no text of its own to judge.
    public func check(_ text: String) -> InvalidValue? { nil }
}
