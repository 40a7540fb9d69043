internal import Configuration
internal import Reporting

/// The keys of what is plausible and what is worth sending: `checks` and `reporting`.
enum ReportingKeys {
    // MARK: checks

    static let maxAccuracy = ConfigurationKey(
        "checks.max-accuracy", .distance(), default: "100m", "Less accurate fixes are rejected. 0m: no limit.")
    static let maxAge = ConfigurationKey(
        "checks.max-age", .duration(in: .zero ... .seconds(86_400)), default: "10s",
        "Older fixes are rejected. 0s: no limit.")
    static let maxSpeed = ConfigurationKey(
        "checks.max-speed", .speed(in: 0...10_000), default: "90m/s",
        "Faster fixes are rejected, and jumps that no vehicle of this speed makes. 0m/s: no limit.")
    static let warmUp = ConfigurationKey(
        "checks.warm-up", .duration(in: .zero ... .seconds(3600)), default: "0s",
        "Fixes are rejected for so long after the first one.")
    static let nullIsland = ConfigurationKey(
        "checks.null-island", .choice(of: NullIsland.self), default: "reject",
        "What to do with fixes at 0, 0, where receivers say they are before they know.")

    // MARK: reporting

    static let unreliable = ConfigurationKey(
        "reporting.unreliable", .choice(of: UnreliablePolicy.self), default: "publish",
        "Unreliable positions: publish (flagged, never retained) or drop (counted).")
    static let minInterval = ConfigurationKey(
        "reporting.moving.min-interval", interval, default: "1s",
        "The classic triggers send never more often; the error bound is not held back.")
    static let maxInterval = ConfigurationKey(
        "reporting.moving.max-interval", heartbeat, default: "60s",
        "At the latest after this; receivers learn it as due.")
    static let maxError = ConfigurationKey(
        "reporting.moving.max-error", .distance(in: 0...100_000), default: "15m",
        "Receivers know the position within this by dead reckoning; they learn it as bound. 0m: off, and with no other "
            + "trigger on every fix is sent, as min-interval allows.")
    static let prediction = ConfigurationKey(
        "reporting.moving.prediction", .choice(of: ReportingPolicy.Prediction.self), default: "strict",
        "strict: sent before the bound is left; lazy: when it is, for fewer messages.")
    static let minDistance = ConfigurationKey(
        "reporting.moving.min-distance", .distance(in: 0...100_000), default: "0m",
        "Sent when moved this far since the last report. 0m: off.")
    static let minHeadingChange = ConfigurationKey(
        "reporting.moving.min-heading-change", .angle(in: 0...180), default: "0deg",
        "Sent when turned so far since the last report, above 2 m/s. 0deg: off.")
    static let minSpeedChange = ConfigurationKey(
        "reporting.moving.min-speed-change", .speed(in: 0...1000), default: "0m/s",
        "Sent when so much faster or slower than at the last report. 0m/s: off.")
    static let parkedMinInterval = ConfigurationKey<Duration?>.optional(
        "reporting.stationary.min-interval", interval, "While parked; absent: as when moving.")
    static let parkedMaxInterval = ConfigurationKey(
        "reporting.stationary.max-interval", heartbeat, default: "5min", "The heartbeat while parked.")
    static let parkedMaxError = ConfigurationKey<Double?>.optional(
        "reporting.stationary.max-error", .distance(in: 0...100_000), "While parked; absent: as when moving.")
    static let parkedMinDistance = ConfigurationKey<Double?>.optional(
        "reporting.stationary.min-distance", .distance(in: 0...100_000), "While parked; absent: as when moving.")

    private static let interval = ValueFormat.duration(in: .zero ... .seconds(86_400))
    private static let heartbeat = ValueFormat.duration(in: .seconds(1) ... .seconds(86_400))

    static let all: [any DeclaredKey] = [
        maxAccuracy, maxAge, maxSpeed, warmUp, nullIsland, unreliable, minInterval, maxInterval, maxError, prediction,
        minDistance, minHeadingChange, minSpeedChange, parkedMinInterval, parkedMaxInterval, parkedMaxError,
        parkedMinDistance,
    ]
}

enum NullIsland: String, CaseIterable, Sendable { case reject, accept }
enum UnreliablePolicy: String, CaseIterable, Sendable { case publish, drop }
