/// A provider broke a rule: which one, what was expected and what happened instead.
public struct ConformanceFailure: Error, Equatable, CustomStringConvertible {
    /// The rule's name, which starts with its number in SEMANTICS.
    public var rule: String
    public var expectation: String
    public var observed: String

    public init(rule: String, expectation: String, observed: String) {
        self.rule = rule
        self.expectation = expectation
        self.observed = observed
    }

    public var description: String { "\(rule): expected that \(expectation); observed: \(observed)" }
}
