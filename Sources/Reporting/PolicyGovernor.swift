public import Positioning

/// The policy in force: what is configured, made tighter by what subscribers want and wider as the data budget runs
/// short. Pure; each input answers whether ``policy`` or ``accuracy`` changed.
///
/// A demand makes intervals shorter, distances and the bound smaller, never larger. The budget then multiplies the bound
/// and the distances (``DataBudget/Step/factor``), and at last leaves heartbeats and changes of motion alone: a demand
/// cannot spend what is not there.
public struct PolicyGovernor: Equatable, Sendable {
    public let base: ReportingPolicy
    public private(set) var demand: DemandMachine
    public private(set) var budget: DataBudget
    public private(set) var policy: ReportingPolicy
    /// What the provider is asked for; `nil` where nobody asked.
    public private(set) var accuracy: DesiredAccuracy?

    public init(base: ReportingPolicy, limits: DemandLimits, bytesPerDay: UInt64?, start: MonotonicInstant) {
        self.base = base
        policy = base
        demand = DemandMachine(limits: limits)
        budget = DataBudget(bytesPerDay: bytesPerDay, start: start)
    }

    /// When ``deadlinePassed(now:)`` is due: a lease ends.
    public var nextDeadline: MonotonicInstant? { demand.nextDeadline }

    /// A subscriber asks; see ``DemandMachine/receive(_:lease:from:now:)``.
    public mutating func receive(
        _ wanted: Demand, lease: Double, from subscriber: String, now: MonotonicInstant
    ) -> Bool {
        demand.receive(wanted, lease: lease, from: subscriber, now: now) && update()
    }

    public mutating func withdraw(_ subscriber: String, now: MonotonicInstant) -> Bool {
        demand.withdraw(subscriber, now: now) && update()
    }

    public mutating func deadlinePassed(now: MonotonicInstant) -> Bool {
        demand.deadlinePassed(now: now) && update()
    }

    /// Bytes went over the link.
    public mutating func spend(_ bytes: Int, now: MonotonicInstant, utc: UTCInstant?) -> Bool {
        budget.spend(bytes, now: now, utc: utc) && update()
    }

    private mutating func update() -> Bool {
        let wanted = demand.current
        var next = base
        next.moving = Self.adjusted(base.moving, wanted, budget.step)
        next.stationary = Self.adjusted(base.stationary, wanted, budget.step)
        defer { (policy, accuracy) = (next, wanted.accuracy) }
        return next != policy || wanted.accuracy != accuracy
    }

    private static func adjusted(
        _ base: ReportingPolicy.Profile, _ demand: Demand, _ step: DataBudget.Step
    ) -> ReportingPolicy.Profile {
        var profile = base
        if let seconds = demand.interval {
            profile.maxInterval = min(profile.maxInterval, .seconds(seconds))
            profile.minInterval = min(profile.minInterval, .seconds(seconds))
        }
        if let metres = demand.distance {
            profile.minDistance = profile.minDistance > 0 ? min(profile.minDistance, metres) : metres
        }
        if let metres = demand.bound {
            profile.maxError = profile.maxError > 0 ? min(profile.maxError, metres) : metres
        }
        guard step > .free else { return profile }
        profile.maxError *= step.factor
        profile.minDistance *= step.factor
        profile.isQuiet = profile.isQuiet || step == .heartbeats
        if step == .heartbeats { profile.maxInterval = max(profile.maxInterval, base.maxInterval) }
        return profile
    }
}
