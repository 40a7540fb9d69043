internal import Positioning

/// While no clock is trusted, nothing but the build date tells that a receiver's date is far off: a fix dated before it was
/// not made by this software (G09: a date 1024 weeks early, 1980 at a cold start).
enum DateCheck {
    static func reject(_ time: UTCInstant, isClockTrusted: Bool, maxAge: Duration?) -> Rejection? {
        guard maxAge != nil, !isClockTrusted, time < ClockTrust.floor else { return nil }
        return Rejection(rule: .date, value: (ClockTrust.floor - time).inSeconds, threshold: 0)
    }
}
