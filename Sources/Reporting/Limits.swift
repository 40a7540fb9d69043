internal import Positioning

/// A policy's numbers in the units of the hot path: `Duration` is 128 bits wide.
struct Limits: Equatable, Sendable {
    private struct Intervals: Equatable {
        let profile: ReportingPolicy.Profile
        let sendsEveryFix: Bool
        /// Nanoseconds.
        let least: Int64
        let most: Int64
        /// Seconds.
        let due: Double

        init(_ profile: ReportingPolicy.Profile) {
            self.profile = profile
            sendsEveryFix = profile.sendsEveryFix
            least = profile.minInterval.wholeNanoseconds
            most = max(profile.minInterval, profile.maxInterval).wholeNanoseconds
            due = profile.due
        }
    }

    private let moving: Intervals
    private let stationary: Intervals

    init(_ policy: ReportingPolicy) {
        moving = Intervals(policy.moving)
        stationary = Intervals(policy.stationary)
    }

    func profile(_ motion: Motion?) -> ReportingPolicy.Profile { of(motion).profile }
    func maxError(_ motion: Motion?) -> Double { of(motion).profile.maxError }
    func sendsEveryFix(_ motion: Motion?) -> Bool { of(motion).sendsEveryFix }
    func minInterval(_ motion: Motion?) -> Int64 { of(motion).least }
    func maxInterval(_ motion: Motion?) -> Int64 { of(motion).most }
    func due(_ motion: Motion?) -> Double { of(motion).due }

    private func of(_ motion: Motion?) -> Intervals { motion == .stationary ? stationary : moving }
}
