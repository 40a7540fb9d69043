/// A key that a configuration may have, declared once: from it the value is read, and the reference and the example
/// files are checked.
public struct ConfigurationKey<Value: Sendable>: DeclaredKey {
    public let path: String
    public let summary: String
    public let defaultText: String?
    public let isRequired: Bool
    public let format: ValueFormat<Value>
    /// What is read where nothing, or nothing right, is written.
    let fallback: Value

    public var formatName: String { format.name }
    public var example: String { format.example }

    /// A key with a default, which is written as a user would write it; it is a programming error if that is wrong.
    public init(_ path: String, _ format: ValueFormat<Value>, default text: String, _ summary: String) {
        self.init(path, format, text: text, isRequired: false, fallback: Self.builtIn(path, format, text), summary)
    }

    /// A key that must be given. Where it is not, the problem is reported and the example stands in for the value, so
    /// that the rest can still be read.
    public static func required(
        _ path: String, _ format: ValueFormat<Value>, _ summary: String
    ) -> ConfigurationKey<Value> {
        ConfigurationKey(
            path, format, text: nil, isRequired: true, fallback: builtIn(path, format, format.example), summary)
    }

    /// A key that may be absent, which means something of its own.
    public static func optional<Wrapped: Sendable>(
        _ path: String, _ format: ValueFormat<Wrapped>, _ summary: String
    ) -> ConfigurationKey<Wrapped?> where Value == Wrapped? {
        ConfigurationKey<Wrapped?>(path, format.optional, text: nil, isRequired: false, fallback: nil, summary)
    }

    private init(
        _ path: String, _ format: ValueFormat<Value>, text: String?, isRequired: Bool, fallback: Value,
        _ summary: String
    ) {
        self.path = path
        self.format = format
        self.defaultText = text
        self.isRequired = isRequired
        self.fallback = fallback
        self.summary = summary
    }

    private static func builtIn(_ path: String, _ format: ValueFormat<Value>, _ text: String) -> Value {
        do {
            return try format.read(text)
        } catch {
            preconditionFailure("the built-in value of \(path) \(error.message)")
        }
    }

    public func check(_ text: String) -> InvalidValue? {
        do {
            _ = try format.read(text)
            return nil
        } catch {
            return error
        }
    }
}

/// What is known of a key without the type of its value.
public protocol DeclaredKey: Sendable {
    /// The parts joined by dots, for example `mqtt.url`.
    var path: String { get }
    /// How the value is written, for example `duration`.
    var formatName: String { get }
    /// A value as it may be written.
    var example: String { get }
    /// The default as it would be written; nil where there is none.
    var defaultText: String? { get }
    var isRequired: Bool { get }
    /// One line for the reference.
    var summary: String { get }
    /// What is wrong with `text` as a value of this key.
    func check(_ text: String) -> InvalidValue?
}

extension DeclaredKey {
    /// The environment variable that sets this key: `FIXCAST_AGENT` and `mqtt.ca-file` make
    /// `FIXCAST_AGENT_MQTT_CA_FILE`; `provider.first-of[0].type` makes `FIXCAST_AGENT_PROVIDER_FIRST_OF_0_TYPE`.
    public func environmentName(prefix: String) -> String {
        prefix + "_" + String(path.uppercased().filter { $0 != "]" }.map { ".-[".contains($0) ? "_" : $0 })
    }
}
