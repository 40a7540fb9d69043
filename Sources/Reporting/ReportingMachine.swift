public import Positioning

/// Decides of each fix whether it is plausible and whether it is worth sending now.
///
/// Checks come in this order, the first that objects rejects the fix: order (``RejectionRule/duplicate``,
/// ``RejectionRule/outOfOrder``), age (``RejectionRule/future``, ``RejectionRule/stale``), null island, accuracy limit,
/// and the policy for unreliable positions. All intervals are on the monotonic clock; nothing here allocates per fix.
///
/// A fix that is not worth sending now is held: the newest reliable one, or the newest where none is reliable, is sent
/// when ``nextDeadline`` passes, so that the last position before a stop or a silence is never lost.
public struct ReportingMachine: Equatable, Sendable {
    private struct Accepted: Equatable {
        var location: Location
        var uptime: Double?
    }

    /// No host that runs this software has an earlier clock: one that does is not set yet (2025-01-01).
    private static let earliestClock = UTCInstant(milliseconds: 1_735_689_600_000)

    public let policy: ReportingPolicy
    public private(set) var counters = ReportingCounters()
    /// Why the plausible fix received last is unreliable, empty if it is not; `nil` when a check rejected it.
    public private(set) var lastReliability: UnreliableReasons?

    private let start: MonotonicInstant
    /// Nanoseconds.
    private let minInterval: Int64
    private let maxInterval: Int64
    private let due: Double
    private var order = OrderCheck()
    private var age: AgeCheck
    private var held: Accepted?
    private var newestAccepted: Accepted?
    private var sentAt: MonotonicInstant?
    /// Where the last report was that had a place at all, and the last reliable one.
    private var sentPlace: Coordinate?
    private var sentReliablePlace: Coordinate?

    /// - Parameter start: when this boot of the agent began; `uptime` counts from it.
    public init(policy: ReportingPolicy = .standard, start: MonotonicInstant) {
        self.policy = policy
        self.start = start
        minInterval = policy.minInterval.wholeNanoseconds
        maxInterval = max(policy.minInterval, policy.maxInterval).wholeNanoseconds
        due = policy.due
        age = AgeCheck(policy.checks)
    }

    /// The newest plausible position, sent or held.
    public var newest: Location? { newestAccepted?.location }

    /// When ``deadlinePassed(now:utc:)`` has something to send; `nil` while nothing is held.
    public var nextDeadline: MonotonicInstant? {
        // A pattern, since comparing would copy the whole fix.
        guard case .some = held, let sentAt else { return nil }
        return sentAt.advanced(byNanoseconds: policy.minDistance > 0 ? maxInterval : minInterval)
    }

    /// Takes one fix as its provider made it.
    ///
    /// - Parameter utc: the wall clock, `nil` while it cannot be trusted.
    public mutating func receive(_ location: Location, now: MonotonicInstant, utc: UTCInstant?) -> ReportingDecision {
        let clock = utc.flatMap { $0 >= Self.earliestClock ? $0 : nil }
        lastReliability = nil
        if let rejection = check(location, now: now, utc: clock) { return reject(rejection) }
        var fix = Accepted(location: location)
        fix.location.unreliable.formUnion(location.intrinsicUnreliability)
        if location.timestamp == nil {
            fix.location.timestamp = clock
            if clock == nil {
                fix.location.unreliable.insert(.clock)
                fix.uptime = (now - start).inSeconds
            }
        }
        let reasons = fix.location.unreliable
        lastReliability = reasons
        counters.count(reasons)
        if policy.unreliable == .drop, !reasons.isEmpty {
            return reject(Rejection(rule: .unreliable, value: Double(reasons.rawValue), threshold: 0))
        }
        accept(location.timestamp, now: now, utc: clock)
        newestAccepted = fix
        return decide(fix, now: now)
    }

    /// Sends what is held if its time has come; harmless when called early.
    public mutating func deadlinePassed(now: MonotonicInstant, utc: UTCInstant?) -> ReportDraft? {
        guard let deadline = nextDeadline, now >= deadline, let fix = held else { return nil }
        held = nil
        return draft(fix, .interval, now: now)
    }

    /// The held position, to be the first news of a new connection; `nil` where everything plausible was sent already,
    /// which the delivery repeats under its own identity.
    public mutating func draftForReconnect(now: MonotonicInstant) -> ReportDraft? { draftOfHeld(.reconnect, now) }

    /// The held position when no newer one will come, so that the last place before a stop is known.
    public mutating func draftForEnd(now: MonotonicInstant) -> ReportDraft? { draftOfHeld(.interval, now) }

    private mutating func draftOfHeld(_ trigger: ReportTrigger, _ now: MonotonicInstant) -> ReportDraft? {
        guard let fix = held else { return nil }
        held = nil
        return draft(fix, trigger, now: now)
    }

    // MARK: Is it plausible?

    private mutating func check(_ location: Location, now: MonotonicInstant, utc: UTCInstant?) -> Rejection? {
        if let time = location.timestamp {
            var base = age
            switch order.judge(time, now: now) {
            case .newer: break
            case .newTimeBase: base.reset()
            case .rejected(let rejection): return rejection
            }
            if let rejection = base.reject(time, now: now, utc: utc) { return rejection }
        }
        if policy.checks.rejectsNullIsland, let rejection = NullIslandCheck.reject(location) { return rejection }
        return AccuracyCheck.reject(location, limit: policy.checks.maxAccuracy)
    }

    private mutating func reject(_ rejection: Rejection) -> ReportingDecision {
        counters.count(rejection.rule)
        return .reject(rejection)
    }

    private mutating func accept(_ time: UTCInstant?, now: MonotonicInstant, utc: UTCInstant?) {
        counters.accepted += 1
        guard let time else { return }
        if order.isOlder(time) { age.reset() }
        order.accept(time)
        age.accept(time, now: now, utc: utc)
    }

    // MARK: Is it worth sending?

    private mutating func decide(_ fix: Accepted, now: MonotonicInstant) -> ReportingDecision {
        guard let trigger = trigger(fix.location, now: now) else {
            hold(fix)
            return .hold
        }
        // A reliable position that waits is worth more than one that no reader may show.
        if !fix.location.isReliable, let waiting = held, waiting.location.isReliable {
            held = fix
            return .send(draft(waiting, .interval, now: now))
        }
        held = nil
        return .send(draft(fix, trigger, now: now))
    }

    private func trigger(_ location: Location, now: MonotonicInstant) -> ReportTrigger? {
        guard let sentAt else { return .first }
        let elapsed = now.nanoseconds(since: sentAt)
        if elapsed >= maxInterval { return .interval }
        guard elapsed >= minInterval else { return nil }
        guard policy.minDistance > 0 else { return .interval }
        guard location.coordinate.isCorrect else { return nil }
        if location.isReliable {
            guard let sentReliablePlace else { return .first }
            return hasMoved(from: sentReliablePlace, to: location.coordinate) ? .distance : nil
        }
        guard let sentPlace else { return nil }
        return hasMoved(from: sentPlace, to: location.coordinate) ? .distance : nil
    }

    private func hasMoved(from place: Coordinate, to other: Coordinate) -> Bool {
        Geodesy.distance(place, other) >= policy.minDistance
    }

    private mutating func hold(_ fix: Accepted) {
        if !fix.location.isReliable, let held, held.location.isReliable { return }
        held = fix
    }

    private mutating func draft(_ fix: Accepted, _ trigger: ReportTrigger, now: MonotonicInstant) -> ReportDraft {
        counters.sent += 1
        sentAt = now
        if fix.location.coordinate.isCorrect {
            sentPlace = fix.location.coordinate
            if fix.location.isReliable { sentReliablePlace = fix.location.coordinate }
        }
        return ReportDraft(location: fix.location, trigger: trigger, due: due, uptime: fix.uptime)
    }
}
