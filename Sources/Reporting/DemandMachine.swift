public import Positioning

/// What all subscribers together want now (WIRE.md, Demand): leases that the vehicle times itself, the most demanding
/// part of each that lives, within limits. Pure; a change of ``current`` is the driver's to act on.
public struct DemandMachine: Equatable, Sendable {
    private struct Lease: Equatable {
        var subscriber: String
        var demand: Demand
        var end: MonotonicInstant
    }

    public let limits: DemandLimits
    /// What is granted; ``Demand/none`` where nobody asks.
    public private(set) var current = Demand.none
    /// Leases that were refused because too many live.
    public private(set) var refused: UInt64 = 0
    private var leases: [Lease] = []

    public init(limits: DemandLimits = .standard) {
        self.limits = limits
        leases.reserveCapacity(DemandLimits.leases)
    }

    /// When ``deadlinePassed(now:)`` is due.
    public var nextDeadline: MonotonicInstant? { leases.lazy.map(\.end).min() }

    /// How many subscribers hold a lease.
    public var count: Int { leases.count }

    /// A subscriber asks, or renews what it asked. Answers whether ``current`` changed.
    ///
    /// - Parameter lease: seconds from now.
    public mutating func receive(
        _ demand: Demand, lease: Double, from subscriber: String, now: MonotonicInstant
    ) -> Bool {
        guard limits.isAllowed, lease > 0 else { return false }
        expire(now)
        let end = now + .seconds(min(lease, limits.lease))
        let granted = Lease(subscriber: subscriber, demand: limits.granted(demand), end: end)
        if let index = leases.firstIndex(where: { $0.subscriber == subscriber }) {
            leases[index] = granted
        } else if leases.count < DemandLimits.leases {
            leases.append(granted)
        } else {
            refused += 1
        }
        return update()
    }

    /// A subscriber withdraws. Answers whether ``current`` changed.
    public mutating func withdraw(_ subscriber: String, now: MonotonicInstant) -> Bool {
        expire(now)
        leases.removeAll { $0.subscriber == subscriber }
        return update()
    }

    /// Time has passed; harmless when called early. Answers whether ``current`` changed.
    public mutating func deadlinePassed(now: MonotonicInstant) -> Bool {
        expire(now)
        return update()
    }

    private mutating func expire(_ now: MonotonicInstant) { leases.removeAll { $0.end <= now } }

    private mutating func update() -> Bool {
        let joined = leases.reduce(Demand.none) { $0.joined(with: $1.demand) }
        defer { current = joined }
        return joined != current
    }
}
