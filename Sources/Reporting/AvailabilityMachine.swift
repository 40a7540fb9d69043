public import Positioning

/// What the vehicle says about itself: the state of each link from agent to fix, and the first broken one as the reason
/// (SEMANTICS, "Availability says why").
///
/// A loss of fix is told after ``AvailabilityPolicy/fixLossDelay``, with the instant of the loss as `since`; everything
/// else at once, recovery too. The vehicle is available from the first reliable fix after its provider became available.
/// Before its provider said anything the vehicle has no fix: `unknown` is no answer on the wire.
///
/// Every input returns the whole report when it changed, `nil` otherwise.
public struct AvailabilityMachine: Equatable, Sendable {
    public let policy: AvailabilityPolicy
    /// What was told last; a birth message repeats it.
    public private(set) var current: AvailabilityReport

    /// Nanoseconds.
    private let fixLossDelay: Int64
    private let staleAfter: Int64
    private var agent: AvailabilityReport.Agent = .running
    private var provider: AvailabilityReport.Provider = .opening
    private var fix: AvailabilityReport.Fix = .unknown
    /// The fixes that come cannot be dated: reason `clock`.
    private var isUndated = false
    /// Whether the provider itself says that it is available.
    private var isProviderAvailable = false
    /// When the fix was lost, while the loss may be waiting to be told.
    private var lostAt: MonotonicInstant?
    /// When the last acceptable fix came, or the provider became available.
    private var lastSign: MonotonicInstant
    private var since: MonotonicInstant

    /// - Parameter now: when the agent started.
    public init(policy: AvailabilityPolicy = .standard, now: MonotonicInstant, utc: UTCInstant?) {
        self.policy = policy
        fixLossDelay = policy.fixLossDelay.wholeNanoseconds
        staleAfter = policy.staleAfter.wholeNanoseconds
        lastSign = now
        since = now
        current = AvailabilityReport(
            availability: .unavailable(.noFix), since: utc, link: .lost, agent: .running, provider: .opening,
            fix: .unknown)
    }

    /// When ``deadlinePassed(now:utc:)`` may have something to tell. It moves with every fix: a driver may leave an
    /// earlier timer set and ask again when that fires.
    public var nextDeadline: MonotonicInstant? {
        guard agent == .running else { return nil }
        let stale = isProviderAvailable && fix != .stale ? lastSign.advanced(byNanoseconds: staleAfter) : nil
        guard let loss = pendingLoss else { return stale }
        return stale.map { min($0, loss) } ?? loss
    }

    // MARK: Inputs

    /// The provider's own word.
    public mutating func providerChanged(
        _ availability: Availability, now: MonotonicInstant, utc: UTCInstant?
    ) -> AvailabilityReport? {
        // Told again, as to a new callback, it is no news and no doubt in the fix.
        if isProviderAvailable, availability.isAvailable { return settle(now, utc) }
        isProviderAvailable = availability.isAvailable
        switch availability {
        case .unknown:
            provider = .opening
            lose(.unknown, now)
        case .available:
            provider = .open
            lastSign = now
            // A receiver without accuracy still has none; anything else is for the next fix to say.
            if fix != .noAccuracy { lose(.unknown, now) }
        case .unavailable(.noFix):
            provider = .open
            lose(.none, now)
        case .unavailable(.noAccuracy):
            provider = .open
            lose(.noAccuracy, now)
        case .unavailable(.stale):
            provider = .open
            lose(.stale, now)
        case .unavailable(.permissionDenied):
            provider = .denied
            lose(.unknown, now)
        case .unavailable:
            provider = .down
            lose(.unknown, now)
        }
        return settle(now, utc)
    }

    /// A plausible fix, sent, held or dropped for its reasons alone (``ReportingMachine/lastReliability``). A rejected
    /// fix is no sign of life.
    public mutating func received(
        _ unreliable: UnreliableReasons, now: MonotonicInstant, utc: UTCInstant?
    ) -> AvailabilityReport? {
        // A position made while the provider is unavailable does not flip availability (rule 5).
        guard isProviderAvailable else { return settle(now, utc) }
        if unreliable.isEmpty {
            lastSign = now
            guard fix != .ok else { return settle(now, utc) }
            fix = .ok
            isUndated = false
            lostAt = nil
        } else if unreliable.contains(.noFix) {
            lastSign = now
            lose(.none, now)
        } else if unreliable.contains(.accuracy) {
            lastSign = now
            lose(.noAccuracy, now)
        } else if unreliable == .clock {
            lastSign = now
            lose(.unknown, now)
            isUndated = true
        }
        return settle(now, utc)
    }

    /// The agent stops, sleeps, becomes private or runs again.
    public mutating func agentChanged(
        _ agent: AvailabilityReport.Agent, now: MonotonicInstant, utc: UTCInstant?
    ) -> AvailabilityReport? {
        if self.agent != .running, agent == .running, now >= lastSign.advanced(byNanoseconds: staleAfter) {
            // What was known before it slept is no answer; the next fix is.
            lose(.unknown, now)
            lastSign = now
        }
        self.agent = agent
        return settle(now, utc)
    }

    /// The connection to the broker; it changes ``current``, for the birth to tell, but is never the reason: a vehicle
    /// without a connection cannot say so.
    public mutating func linkChanged(isOnline: Bool, now: MonotonicInstant, utc: UTCInstant?) -> AvailabilityReport? {
        let link: AvailabilityReport.Link = isOnline ? .online : .lost
        let changed = current.link != link
        current.link = link
        return settle(now, utc) ?? (changed ? current : nil)
    }

    /// Time has passed; harmless when called early.
    public mutating func deadlinePassed(now: MonotonicInstant, utc: UTCInstant?) -> AvailabilityReport? {
        settle(now, utc)
    }

    // MARK: What follows

    /// The fix is not good any more, since now unless it was lost before.
    private mutating func lose(_ fix: AvailabilityReport.Fix, _ now: MonotonicInstant) {
        if lostAt == nil { lostAt = now }
        self.fix = fix
        isUndated = false
    }

    private var availability: Availability {
        switch agent {
        case .stopped: return .unavailable(.stopped)
        case .sleeping: return .unavailable(.sleeping)
        case .private: return .unavailable(.private)
        case .running: break
        }
        switch provider {
        case .down: return .unavailable(.providerDown)
        case .denied: return .unavailable(.permissionDenied)
        case .opening, .open: break
        }
        switch fix {
        case .ok: return .available
        case .noAccuracy: return .unavailable(.noAccuracy)
        case .stale: return .unavailable(.stale)
        case .none: return .unavailable(.noFix)
        case .unknown: return .unavailable(isUndated ? .clock : .noFix)
        }
    }

    /// When a loss of fix that was not told yet is to be.
    private var pendingLoss: MonotonicInstant? {
        guard current.availability.isAvailable, agent == .running, provider == .open || provider == .opening,
            let lostAt
        else { return nil }
        return lostAt.advanced(byNanoseconds: fixLossDelay)
    }

    private mutating func settle(_ now: MonotonicInstant, _ utc: UTCInstant?) -> AvailabilityReport? {
        if agent == .running, isProviderAvailable, fix != .stale, now >= lastSign.advanced(byNanoseconds: staleAfter) {
            // It was lost when the last fix came, not when the patience ended.
            lose(.stale, fix == .ok ? lastSign : now)
        }
        if current.since == nil, let utc { current.since = utc + (since - now) }
        if let pendingLoss, now < pendingLoss { return nil }
        let availability = availability
        guard
            current.availability != availability || current.agent != agent || current.provider != provider
                || current.fix != fix
        else { return nil }
        if current.availability != availability {
            since = current.availability.isAvailable && availability.isLossOfFix ? lostAt ?? now : now
            current.since = utc.map { $0 + (since - now) }
        }
        current.availability = availability
        current.agent = agent
        current.provider = provider
        current.fix = fix
        return current
    }
}

extension Availability {
    fileprivate var isLossOfFix: Bool {
        switch self {
        case .unavailable(.noFix), .unavailable(.noAccuracy), .unavailable(.stale), .unavailable(.clock): true
        default: false
        }
    }
}
