/// What a subscriber wants of a vehicle for a while (WIRE.md, Demand); what is `nil` it leaves to the vehicle.
public struct Demand: Equatable, Sendable {
    public var accuracy: DesiredAccuracy?
    /// Seconds between reports at most.
    public var interval: Double?
    /// Metres between reports at most.
    public var distance: Double?
    /// Metres within which the position is to be known.
    public var bound: Double?

    public init(
        accuracy: DesiredAccuracy? = nil, interval: Double? = nil, distance: Double? = nil, bound: Double? = nil
    ) {
        self.accuracy = accuracy
        self.interval = interval
        self.distance = distance
        self.bound = bound
    }

    /// Nothing is wanted.
    public static let none = Demand()

    /// What satisfies both: the most demanding of each part.
    public func joined(with other: Demand) -> Demand {
        Demand(
            accuracy: larger(accuracy, other.accuracy), interval: smaller(interval, other.interval),
            distance: smaller(distance, other.distance), bound: smaller(bound, other.bound))
    }
}

private func larger<Value: Comparable>(_ a: Value?, _ b: Value?) -> Value? {
    guard let a, let b else { return a ?? b }
    return max(a, b)
}

private func smaller<Value: Comparable>(_ a: Value?, _ b: Value?) -> Value? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
}
