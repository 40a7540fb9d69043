/// What a topic below a vehicle's root carries (WIRE.md, the table of topics); the raw value is its last level.
public enum TopicKind: String, Sendable, CaseIterable {
    case location, track, availability, health
}

/// Where the topics of the vehicles are: a template with `{vehicle}` as one whole level, the same text on agent and
/// subscriber (WIRE.md, `<root>`).
public struct TopicRoot: Hashable, Sendable, CustomStringConvertible {
    /// What keeps a text from being a topic root.
    public enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// `{vehicle}` is missing, comes twice, or is not a whole level.
        case placeholder
        /// More than 6 levels.
        case levels(Int)
        /// Nothing between two slashes, or before the first or after the last one.
        case emptyLevel
        /// A wildcard, a control character, or a leading `$`, which brokers keep for themselves.
        case character(Character)

        public var description: String {
            switch self {
            case .placeholder: "a topic root holds {vehicle} exactly once, as a whole level, as in fleet/{vehicle}"
            case .levels(let count): "a topic root has at most 6 levels, this one has \(count)"
            case .emptyLevel: "a topic root has no empty level: no // and no / at its start or end"
            case .character(let character):
                "a topic root cannot hold \(character.unicodeScalars.first!.value < 32 ? "a control character" : "\"\(character)\"")"
            }
        }
    }

    /// `fleet/{vehicle}`.
    public static let standard = TopicRoot(template: "fleet/{vehicle}", before: "fleet/", after: "/")

    public let template: String
    /// What stands before and after a vehicle's name in its topics.
    private let before: String
    private let after: String

    private init(template: String, before: String, after: String) {
        self.template = template
        self.before = before
        self.after = after
    }

    public init(_ template: String) throws(Problem) {
        for scalar in template.unicodeScalars {
            if scalar == "+" || scalar == "#" || scalar.value < 32 || (0x7F...0x9F).contains(scalar.value) {
                throw .character(Character(scalar))
            }
        }
        if template.first == "$" { throw .character("$") }
        let levels = template.split(separator: "/", omittingEmptySubsequences: false)
        if levels.contains("") { throw .emptyLevel }
        let places = levels.indices.filter { levels[$0] == "{vehicle}" }
        let braces = template.utf8.count { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
        guard let place = places.first, places.count == 1, braces == 2 else { throw .placeholder }
        if levels.count > 6 { throw .levels(levels.count) }
        self.template = template
        before = levels[..<place].map { $0 + "/" }.joined()
        after = levels[(place + 1)...].map { "/" + $0 }.joined() + "/"
    }

    public var description: String { template }

    /// The topic of a vehicle.
    public func topic(_ kind: TopicKind, of vehicle: VehicleID) -> String {
        before + vehicle.text + after + kind.rawValue
    }

    /// The filter that matches the demands of all subscribers of a vehicle.
    public func demandFilter(of vehicle: VehicleID) -> String { before + vehicle.text + after + "demand/+" }

    /// The topic of one subscriber's demand; `subscriber` is a name like a vehicle's, stable per installation.
    public func demandTopic(of vehicle: VehicleID, subscriber: VehicleID) -> String {
        before + vehicle.text + after + "demand/" + subscriber.text
    }

    /// The topic of what a vehicle's agent is asked to do.
    public func commandTopic(of vehicle: VehicleID) -> String { before + vehicle.text + after + "command" }

    /// The topic of the answers to one subscriber.
    public func replyTopic(of vehicle: VehicleID, to subscriber: VehicleID) -> String {
        before + vehicle.text + after + "reply/" + subscriber.text
    }

    /// The filter that matches the topics of all vehicles.
    public func filter(_ kind: TopicKind) -> String { before + "+" + after + kind.rawValue }

    /// The vehicle and the kind of an arriving topic; `nil` for a topic that is none of this root's.
    ///
    /// Allocates nothing for a vehicle id of up to 15 characters.
    public func parse(_ topic: String) -> (vehicle: VehicleID, kind: TopicKind)? {
        let span = topic.utf8.span
        let prefix = before.utf8.span
        let suffix = after.utf8.span
        guard span.count > prefix.count, span.starts(with: prefix, at: 0) else { return nil }
        var end = prefix.count
        while end < span.count, span[end] != UInt8(ascii: "/") { end += 1 }
        guard span.starts(with: suffix, at: end), let vehicle = VehicleID(span.extracting(prefix.count..<end)) else {
            return nil
        }
        let rest = span.extracting((end + suffix.count)...)
        for kind in TopicKind.allCases where rest.count == kind.rawValue.utf8.count {
            if rest.starts(with: kind.rawValue.utf8.span, at: 0) { return (vehicle, kind) }
        }
        return nil
    }
}

extension Span<UInt8> {
    fileprivate func starts(with other: Span<UInt8>, at offset: Int) -> Bool {
        guard count - offset >= other.count else { return false }
        for index in other.indices where self[offset + index] != other[index] { return false }
        return true
    }
}
