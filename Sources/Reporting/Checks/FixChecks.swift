internal import Positioning

/// All checks, in their order: the first that objects rejects the fix.
///
/// 1. order: `duplicate`, `outOfOrder`; 2. `date`; 3. age: `future`, `stale`; 4. `nullIsland`; 5. `inaccurate`; 6. `warmUp`;
/// 7. `speed`; 8. `jump`; 9. `frozen`. (10. `unreliable` is the policy's word on what is plausible.)
///
/// A rejected fix changes nothing that later ones are judged by but a rule's own run of consistent candidates.
struct FixChecks: Equatable, Sendable {
    private let settings: ReportingPolicy.Checks
    private var order = OrderCheck()
    private var age: AgeCheck
    private var warmUp: WarmUpCheck
    private var jump: JumpCheck
    private var frozen = FrozenCheck()

    init(_ settings: ReportingPolicy.Checks) {
        self.settings = settings
        age = AgeCheck(settings)
        warmUp = WarmUpCheck(settings.warmUp)
        jump = JumpCheck(maxSpeed: settings.maxSpeed)
    }

    /// - Parameters:
    ///   - place: where the coordinate is one.
    ///   - utc: the trusted clock.
    mutating func reject(
        _ location: Location, at instant: FixInstant, place: JumpCheck.Place?, utc: UTCInstant?
    ) -> Rejection? {
        if let time = instant.time, let rejection = reject(time, now: instant.arrival, utc: utc) { return rejection }
        if settings.rejectsNullIsland, let rejection = NullIslandCheck.reject(location) { return rejection }
        if let rejection = AccuracyCheck.reject(location, limit: settings.maxAccuracy) { return rejection }
        if let rejection = warmUp.reject(now: instant.arrival) { return rejection }
        if let rejection = SpeedCheck.reject(location, limit: settings.maxSpeed) { return rejection }
        guard let place else { return nil }
        if let rejection = jump.reject(place) { return rejection }
        return frozen.reject(location, at: instant)
    }

    private mutating func reject(_ time: UTCInstant, now: MonotonicInstant, utc: UTCInstant?) -> Rejection? {
        var base = age
        switch order.judge(time, now: now) {
        case .newer: break
        case .newTimeBase: base.reset()
        case .rejected(let rejection): return rejection
        }
        if let rejection = DateCheck.reject(time, isClockTrusted: utc != nil, maxAge: settings.maxAge) {
            return rejection
        }
        return base.reject(time, now: now, utc: utc)
    }

    /// Learns from a fix that was accepted.
    ///
    /// - Returns: whether it is at a place that was not to be reached from the one before.
    mutating func accept(at instant: FixInstant, place: JumpCheck.Place?, utc: UTCInstant?) -> Bool {
        if let time = instant.time {
            if order.isOlder(time) { age.reset() }
            order.accept(time)
            age.accept(time, now: instant.arrival, utc: utc)
        }
        guard let place else { return false }
        return jump.accept(place)
    }
}
