public import Positioning

/// Decides of each fix whether it is plausible and whether it is worth sending now.
///
/// The checks come in the order of ``RejectionRule``, the first that objects rejects the fix. What is plausible is sent for
/// one of these reasons, in this order: it is the first; the vehicle began to move or to stand; the receivers' prediction
/// left the bound; a classic trigger of the profile in force; the heartbeat. All but the first and the bound wait for
/// the profile's minimal interval. All intervals are on the monotonic clock, those between fixes on the receiver's;
/// nothing here allocates per fix.
///
/// A fix that is not worth sending now is held: the newest reliable one, or the newest where none is reliable, is sent
/// when ``nextDeadline`` passes, so that the last position before a stop or a silence is never lost.
public struct ReportingMachine: Equatable, Sendable {
    private struct Accepted: Equatable {
        var location: Location
        var place: SpherePoint?
        var uptime: Double?
    }

    private enum Waiting { case none, newest, older }

    /// What is worth sending; a change counts from the next fix on. A bound that becomes tighter makes that fix worth
    /// sending (`demand`), one that becomes wider counts from the report that carries it. The checks stay as they were.
    public var policy: ReportingPolicy {
        didSet {
            limits = Limits(policy)
            let wanted = policy.profile(motion).maxError
            if wanted > 0, wanted < promisedError { pending = .demand }
        }
    }
    public private(set) var counters = ReportingCounters()
    /// Why the plausible fix received last is unreliable, empty if it is not; `nil` when a check rejected it.
    public private(set) var lastReliability: UnreliableReasons?

    private let start: MonotonicInstant
    private var limits: Limits
    private var checks: FixChecks
    private var velocity = VelocityEstimate()
    private var detector = MotionDetector()
    private var noise = NoiseEstimate()
    private var error = ErrorTrigger()
    private var classic = ClassicTriggers()
    /// What is held. A fix is some 500 bytes, and the newest one is kept anyway: only a reliable one that unreliable ones
    /// came after has a copy of its own.
    private var waiting = Waiting.none
    private var older: Accepted?
    private var newestAccepted: Accepted?
    private var sentAt: MonotonicInstant?
    /// The configured bound that the last reliable report's was made of; 0 where it promised none.
    private var promisedError = 0.0
    /// A reason to send that waits for the minimal interval; what is held then goes out for it.
    private var pending: ReportTrigger?

    /// - Parameter start: when this boot of the agent began; `uptime` counts from it.
    public init(policy: ReportingPolicy = .standard, start: MonotonicInstant) {
        self.policy = policy
        self.start = start
        limits = Limits(policy)
        checks = FixChecks(policy.checks)
    }

    /// The newest plausible position, sent or held.
    public var newest: Location? { newestAccepted?.location }

    /// Whether the vehicle moves; `nil` until that is known.
    public var motion: Motion? { detector.motion }

    /// What receivers predict from: the last reliable report, as they decode it.
    public var prediction: Predictor? { error.base }

    /// When ``deadlinePassed(now:utc:)`` has something to send; `nil` while nothing is held.
    public var nextDeadline: MonotonicInstant? {
        guard waiting != .none, let sentAt else { return nil }
        let isHeldBack = pending != nil || limits.sendsEveryFix(motion)
        return sentAt.advanced(byNanoseconds: isHeldBack ? limits.minInterval(motion) : limits.maxInterval(motion))
    }

    /// Takes one fix as its provider made it.
    ///
    /// - Parameter utc: the wall clock, `nil` while it cannot be trusted.
    public mutating func receive(_ location: Location, now: MonotonicInstant, utc: UTCInstant?) -> ReportingDecision {
        let clock = utc.flatMap(ClockTrust.trusted)
        lastReliability = nil
        var fix = Accepted(location: location)
        fix.location.unreliable.formUnion(location.intrinsicUnreliability)
        if location.coordinate.isCorrect { fix.place = SpherePoint(location.coordinate) }
        let instant = FixInstant(time: location.timestamp, arrival: now)
        let mark = fix.place.map {
            JumpCheck.Place(
                point: $0, instant: instant,
                accuracy: location.hasUsableAccuracy ? location.horizontalAccuracy : nil,
                isReliable: fix.location.isReliable)
        }
        if let rejection = checks.reject(location, at: instant, place: mark, utc: clock) { return reject(rejection) }
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
        counters.accepted += 1
        if checks.accept(at: instant, place: mark, utc: clock) { forgetMotion() }
        follow(fix, at: instant)
        keep(fix)
        return decide(fix, now: now)
    }

    /// Sends what is held if its time has come; harmless when called early.
    public mutating func deadlinePassed(now: MonotonicInstant, utc: UTCInstant?) -> ReportDraft? {
        guard let deadline = nextDeadline, now >= deadline, let fix = held else { return nil }
        return draft(fix, pending ?? .interval, now: now)
    }

    /// The held position, to be the first news of a new connection; `nil` where everything plausible was sent already,
    /// which the delivery repeats under its own identity.
    public mutating func draftForReconnect(now: MonotonicInstant) -> ReportDraft? {
        held.map { draft($0, .reconnect, now: now) }
    }

    /// The held position when no newer one will come, so that the last place before a stop is known.
    public mutating func draftForEnd(now: MonotonicInstant) -> ReportDraft? {
        held.map { draft($0, .interval, now: now) }
    }

    /// The broker acknowledged a live report; `strict` looks ahead for as long as nearly all take.
    public mutating func acknowledged(afterNanoseconds delay: Int64) { error.takeDelay(Double(delay) * 1e-9) }

    private mutating func reject(_ rejection: Rejection) -> ReportingDecision {
        counters.count(rejection.rule)
        return .reject(rejection)
    }

    // MARK: How does it move?

    private mutating func forgetMotion() {
        velocity.reset()
        detector.reset()
        noise.reset()
    }

    /// Learns from a fix that is where the vehicle is, whether or not it is known how well.
    private mutating func follow(_ fix: Accepted, at instant: FixInstant) {
        guard let place = fix.place, fix.location.unreliable.isSubset(of: [.accuracy, .clock]) else { return }
        velocity.update(fix.location, place, at: instant)
        let before = motion
        let bound = error.base?.bound ?? 15
        let accuracy = fix.location.hasUsableAccuracy ? fix.location.horizontalAccuracy : nil
        if detector.update(place, at: instant, speed: fix.location.speed, accuracy: accuracy, bound: bound) {
            // What was promised so far holds for moving vehicles.
            if before != nil || motion == .stationary { pending = .motion }
        }
        noise.update(place, velocity.velocity, at: instant, motion)
        if fix.location.isReliable { error.takeInterval(to: instant) }
    }

    /// What receivers are to move the report at. A vehicle that creeps or jitters stands.
    private func predictionVelocity(_ location: Location) -> Velocity {
        guard let estimate = velocity.velocity, estimate.speed >= 0.7 else { return .zero }
        return motion == .stationary && location.speed == nil ? .zero : estimate
    }

    /// The prediction velocity where receivers would not come to it by the measured speed and course.
    private func velocityToSend(_ location: Location) -> Velocity? {
        let velocity = predictionVelocity(location)
        guard location.speed != nil, location.course != nil else { return velocity == .zero ? nil : velocity }
        return velocity == .zero ? velocity : nil
    }

    // MARK: Is it worth sending?

    /// The fix to be sent when nothing newer takes its place.
    private var held: Accepted? {
        switch waiting {
        case .none: nil
        case .newest: newestAccepted
        case .older: older
        }
    }

    private mutating func keep(_ fix: Accepted) {
        if waiting == .newest, !fix.location.isReliable, newestAccepted?.location.isReliable == true {
            older = newestAccepted
            waiting = .older
        }
        newestAccepted = fix
    }

    private mutating func decide(_ fix: Accepted, now: MonotonicInstant) -> ReportingDecision {
        guard let trigger = trigger(fix, now: now) else {
            hold(fix)
            return .hold
        }
        // A reliable position that waits is worth more than one that no reader may show.
        if waiting == .older, !fix.location.isReliable, let older {
            let draft = draft(older, .interval, now: now)
            waiting = .newest
            return .send(draft)
        }
        return .send(draft(fix, trigger, now: now))
    }

    private mutating func trigger(_ fix: Accepted, now: MonotonicInstant) -> ReportTrigger? {
        guard let sentAt else { return .first }
        let profile = limits.profile(motion)
        if let place = fix.place, let time = fix.location.timestamp, fix.location.isReliable,
            error.isDue(place, moving: predictionVelocity(fix.location), at: time, profile.prediction)
        {
            return pending == .motion ? .motion : .error
        }
        let elapsed = now.nanoseconds(since: sentAt)
        let isOverdue = elapsed >= limits.maxInterval(motion)
        if pending != .motion, pending != .demand {
            pending = isOverdue ? .interval : classicTrigger(fix, profile)
        }
        return elapsed >= limits.minInterval(motion) ? pending : nil
    }

    private func classicTrigger(_ fix: Accepted, _ profile: ReportingPolicy.Profile) -> ReportTrigger? {
        if profile.isQuiet { return nil }
        if profile.sendsEveryFix { return .interval }
        guard let place = fix.place else { return nil }
        return classic.trigger(fix.location, place, velocity.velocity, profile)
    }

    private mutating func hold(_ fix: Accepted) {
        guard waiting != .older || fix.location.isReliable else { return }
        forgetHeld()
        waiting = .newest
    }

    private mutating func forgetHeld() {
        if waiting == .older { older = nil }
        waiting = .none
    }

    private mutating func draft(_ fix: Accepted, _ trigger: ReportTrigger, now: MonotonicInstant) -> ReportDraft {
        counters.sent += 1
        sentAt = now
        forgetHeld()
        pending = nil
        let profile = limits.profile(motion)
        var draft = ReportDraft(
            location: fix.location, motion: motion, trigger: trigger, due: limits.due(motion), uptime: fix.uptime)
        classic.sent(fix.location, fix.place, velocity.velocity)
        guard fix.location.isReliable else {
            draft.roundToWireResolution()
            return draft
        }
        draft.bound = error.bound(profile, noise: noise.floor(motion))
        promisedError = draft.bound == nil ? 0 : profile.maxError
        if draft.bound != nil { draft.predictionVelocity = velocityToSend(fix.location) }
        draft.roundToWireResolution()
        if draft.predictionVelocity == .zero, draft.location.speed == 0 { draft.predictionVelocity = nil }
        error.sent(draft)
        return draft
    }
}
