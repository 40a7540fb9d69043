internal import Positioning

/// Which day it is: the receiver's date, put right where its week counter rolled over, else the day that brings the time
/// of day nearest to what is known. Pure.
struct NMEACalendar: Equatable, Sendable {
    private static let day = CivilDate.millisecondsPerDay
    /// 1024 weeks: the span of the week counter that GPS satellites send.
    private static let rollover = 1024 * 7 * CivilDate.millisecondsPerDay
    private static let minute: Int64 = 60_000

    let rule: NMEADateRule
    /// How many dates of the receiver were put right.
    private(set) var corrections: UInt64 = 0
    /// The last instant whose day is known from the receiver, or, in a recording, at all.
    private var known: UTCInstant?
    private var knownAt = MonotonicInstant(nanoseconds: 0)

    init(rule: NMEADateRule) { self.rule = rule }

    /// The instant at `time` milliseconds since midnight.
    ///
    /// - Parameters:
    ///   - day: the date that came with it, days since 1970.
    ///   - utc: the host's trusted clock; for a recording an instant near it.
    mutating func stamp(
        time: Int32, day: Int32?, now: MonotonicInstant, utc: UTCInstant?
    ) -> UTCInstant? {
        let reference = known.map { advanced($0, to: now) } ?? utc
        if let day, let dated = dated(day: day, time: time, reference: reference, utc: utc) {
            (known, knownAt) = (dated, now)
            return dated
        }
        guard let reference else { return nil }
        let nearest = Self.nearest(time: time, to: reference)
        // No clock goes on in a recording: it is what it tells.
        if rule == .asRecorded { (known, knownAt) = (nearest, now) }
        return nearest
    }

    private func advanced(_ known: UTCInstant, to now: MonotonicInstant) -> UTCInstant {
        UTCInstant(milliseconds: known.milliseconds &+ now.nanoseconds(since: knownAt) / 1_000_000)
    }

    /// The receiver told date and time without a position.
    mutating func note(_ zda: NMEASentence.ZDA, now: MonotonicInstant, utc: UTCInstant?) {
        if let dated = dated(day: zda.day, time: zda.time, reference: nil, utc: utc) {
            (known, knownAt) = (dated, now)
        }
    }

    private mutating func dated(
        day: Int32, time: Int32, reference: UTCInstant?, utc: UTCInstant?
    ) -> UTCInstant? {
        var instant = UTCInstant(milliseconds: Int64(day) * Self.day + Int64(time))
        if rule == .live {
            guard let sane = Self.withoutRollover(instant, utc: utc) else { return nil }
            if sane != instant { corrections += 1 }
            instant = sane
        }
        // Around midnight some receivers change the date before the time, or after it: then it is a day off.
        let sinceMidnight = Int64(time)
        if known != nil, let reference, sinceMidnight < Self.minute || sinceMidnight >= Self.day - Self.minute {
            let nearest = Self.nearest(time: time, to: reference)
            let isOneDayOff = abs(nearest.milliseconds - instant.milliseconds) == Self.day
            if isOneDayOff, abs(nearest.milliseconds - reference.milliseconds) <= 2 * Self.minute { instant = nearest }
        }
        return instant
    }

    /// The instant moved by whole 1024 weeks to where it is nearest to the host's clock, or to the day this software was
    /// made, where that is later or the clock is not trusted (G09); `nil` when it is before that day even so, as the dates
    /// of 1980 are that receivers start with.
    private static func withoutRollover(_ instant: UTCInstant, utc: UTCInstant?) -> UTCInstant? {
        let reference = max(utc ?? ClockTrust.floor, ClockTrust.floor)
        let distance = reference.milliseconds - instant.milliseconds
        let half = distance < 0 ? -rollover / 2 : rollover / 2
        let moved = UTCInstant(milliseconds: instant.milliseconds + (distance + half) / rollover * rollover)
        if moved >= ClockTrust.floor { return moved }
        // Software that is older than half a rollover, on a host without clock, has nothing better than the receiver.
        return utc == nil ? ClockTrust.trusted(instant) : nil
    }

    /// The instant at `time` of the day that brings it within 12 h of `reference`.
    private static func nearest(time: Int32, to reference: UTCInstant) -> UTCInstant {
        let midnight = reference.milliseconds - (reference.milliseconds % day + day) % day
        var instant = midnight + Int64(time)
        if instant - reference.milliseconds > day / 2 { instant -= day }
        if reference.milliseconds - instant > day / 2 { instant += day }
        return UTCInstant(milliseconds: instant)
    }
}
