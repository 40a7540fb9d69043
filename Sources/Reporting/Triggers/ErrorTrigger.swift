internal import Positioning

/// The guarantee: receivers know the position within the bound of the last report (PERFORMANCE, "The update policy").
///
/// The machine runs the receivers' own predictor from the report as they decode it, and asks at each reliable fix whether
/// the prediction is off by more than the bound that the report published (`lazy`), or would be before a receiver can know
/// better (`strict`): e + u (tau + d) as vectors, plus a (tau + d)^2 / 2, with the velocity error u, the fix interval tau, the
/// 95th percentile d of the time to the broker's acknowledgement, and the acceleration a that a driver can surprise with.
struct ErrorTrigger: Equatable, Sendable {
    /// Metres per second squared.
    static let acceleration = 4.0
    /// What surprise may take of the bound at the most: beyond it, sending sooner would not help.
    static let surpriseShare = 1.0 / 3
    /// Seconds; a source that is slower than this is not looked ahead for any longer.
    static let longestLookAhead = 10.0

    /// What receivers predict from: the last reliable report.
    private(set) var base: Predictor?
    /// Seconds between two fixes, and from handing a report over to its acknowledgement.
    private var interval = QuantileEstimate(quantile: 0.5, rate: 0.2, initial: 1, range: 0.02...longestLookAhead)
    private var delay = QuantileEstimate(quantile: 0.95, rate: 0.2, initial: 0.2, range: 0.01...longestLookAhead)
    private var newest: FixInstant?

    /// Takes an accepted reliable fix's time.
    mutating func takeInterval(to instant: FixInstant) {
        if let newest {
            let seconds = instant.seconds(since: newest)
            if seconds > 0 { interval.take(seconds) }
        }
        newest = instant
    }

    mutating func takeDelay(_ seconds: Double) { delay.take(max(seconds, 0)) }

    /// A reliable report was made.
    mutating func sent(_ draft: ReportDraft) { base = Predictor(draft) }

    /// Seconds until a receiver can know better.
    private var lookAhead: Double { min(interval.value + delay.value, Self.longestLookAhead) }

    /// The bound that a report may promise now: what is configured, but never less than noise alone would leave.
    func bound(_ profile: ReportingPolicy.Profile, noise: Double) -> Double? {
        guard profile.maxError > 0, !profile.isQuiet else { return nil }
        guard profile.prediction == .strict else { return wire(max(profile.maxError, noise)) }
        let room = profile.maxError - surprise(within: profile.maxError)
        // The surprise must fit in beside the noise.
        return wire(noise <= room ? profile.maxError : noise + surprise(within: profile.maxError))
    }

    /// Whether the bound is left, or about to be.
    func isDue(
        _ place: SpherePoint, moving velocity: Velocity, at time: UTCInstant, _ prediction: ReportingPolicy.Prediction
    ) -> Bool {
        guard let base, let bound = base.bound else { return false }
        switch prediction {
        case .lazy: return base.distance(to: place, at: time) > bound
        case .strict:
            let deviation = base.deviation(of: place, moving: velocity, at: time, lookAhead: lookAhead)
            return deviation.distance > bound || deviation.ahead + surprise(within: bound) > bound
        }
    }

    private func surprise(within bound: Double) -> Double {
        min(Self.acceleration * lookAhead * lookAhead / 2, bound * Self.surpriseShare)
    }

    /// Rounded up to what a report carries.
    private func wire(_ bound: Double) -> Double { (bound * 10).rounded(.up) / 10 }
}
