public import Positioning

/// How much subscribers may ask for (configuration `demand`): what is beyond is granted up to the limit.
public struct DemandLimits: Equatable, Sendable {
    /// How many leases may be alive at once; further subscribers are refused until one ends.
    public static let leases = 16

    /// Whether subscribers may ask for anything.
    public var isAllowed: Bool
    /// Seconds; reports are not asked for more often than this.
    public var interval: Double
    /// Metres; distances and bounds are not asked to be smaller.
    public var metres: Double
    /// Seconds; a lease lasts this long at most.
    public var lease: Double
    /// The most that the provider is asked for.
    public var accuracy: DesiredAccuracy

    public init(
        isAllowed: Bool = true, interval: Double = 1, metres: Double = 5, lease: Double = 3600,
        accuracy: DesiredAccuracy = .high
    ) {
        self.isAllowed = isAllowed
        self.interval = interval
        self.metres = metres
        self.lease = lease
        self.accuracy = accuracy
    }

    /// The defaults of the configuration.
    public static let standard = DemandLimits()

    func granted(_ demand: Demand) -> Demand {
        Demand(
            accuracy: demand.accuracy.map { min($0, accuracy) }, interval: demand.interval.map { max($0, interval) },
            distance: demand.distance.map { max($0, metres) }, bound: demand.bound.map { max($0, metres) })
    }
}
