/// How a value is written in the configuration, and what it is in the program.
public struct ValueFormat<Value: Sendable>: Sendable {
    /// What the reference calls it, for example `duration`.
    public let name: String
    /// A value as it may be written, for example `5s`.
    public let example: String
    private let reading: @Sendable (String) throws(InvalidValue) -> Value

    public init(
        _ name: String, example: String, _ reading: @escaping @Sendable (String) throws(InvalidValue) -> Value
    ) {
        self.name = name
        self.example = example
        self.reading = reading
    }

    /// The value that `text` stands for; throws what is wrong with it and what would be right.
    public func read(_ text: String) throws(InvalidValue) -> Value { try reading(text) }

    /// The same way of writing with a further rule, or turned into another type.
    public func checked<Result: Sendable>(
        _ name: String? = nil, example: String? = nil,
        _ rule: @escaping @Sendable (Value) throws(InvalidValue) -> Result
    ) -> ValueFormat<Result> {
        let reading = reading
        return ValueFormat<Result>(name ?? self.name, example: example ?? self.example) {
            text throws(InvalidValue) in
            try rule(try reading(text))
        }
    }

    /// The same, for a key that may be absent.
    var optional: ValueFormat<Value?> {
        checked { value throws(InvalidValue) -> Value? in value }
    }
}

/// What is wrong with a value, without the place where it stands.
public struct InvalidValue: Error, Equatable, Sendable {
    public var code: ConfigurationProblem.Code
    /// What is wrong and what would be right, as it follows the key in a message.
    public var message: String

    public init(_ message: String) { self.init(.invalidValue, message) }

    public init(_ code: ConfigurationProblem.Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
