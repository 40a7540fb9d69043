internal import Positioning

/// When the records of a log are due, and which time they carry then: pure.
struct ReplayTimeline: Equatable, Sendable {
    /// A longer step of the log's clock is a receiver finding its date, not a gap.
    static let longestGap = Duration.seconds(7 * 86_400)

    /// 1 is the recorded pace, 0 none at all.
    let speed: Double
    /// Whether times are shifted so that the first fix is at the present.
    let startsNow: Bool

    private var lastDue: MonotonicInstant?
    private var lastTime: UTCInstant?
    private var span: ClosedRange<UTCInstant>?
    /// Of what the fixes say, which of a recording is another clock than that of the pace.
    private var fixSpan: ClosedRange<UTCInstant>?
    /// Between the last two records that had different times.
    private var step = Duration.seconds(1)
    private var rounds: Duration = .zero
    private var shift: Duration?

    init(speed: Double, startsNow: Bool) {
        self.speed = speed
        self.startsNow = startsNow
    }

    /// When the next record, of log time `time`, is due. One without time, or whose time goes back, follows at once.
    mutating func due(_ time: UTCInstant?, now: MonotonicInstant) -> MonotonicInstant {
        var due = lastDue ?? now
        if let time {
            if let lastTime, time > lastTime, time - lastTime <= Self.longestGap {
                let gap = time - lastTime
                if gap <= .seconds(10) { step = gap }
                if speed > 0 { due = due + gap / speed }
            }
            lastTime = time
            span = Self.extended(span, to: time)
        }
        if speed == 0 { due = now }
        lastDue = due
        return due
    }

    /// The time that a fix carries which says it is of `time` and came at `pace` of the log's clock; `nil` where none
    /// can be told. One that does not say is dated only where the times are made up anyway.
    mutating func stamp(
        _ time: UTCInstant?, pace: UTCInstant? = nil, utcNow: @autoclosure () -> UTCInstant?
    ) -> UTCInstant? {
        guard let time = time ?? (startsNow ? pace : nil) else { return nil }
        fixSpan = Self.extended(fixSpan, to: time)
        let later = time + rounds
        guard startsNow else { return later }
        if shift == nil, let present = utcNow() { shift = present - later }
        return shift.map { later + $0 }
    }

    /// The log begins again: its times go on behind the last one, at the log's own step.
    mutating func beginAgain() {
        guard let span else { return }
        let length = max(Self.length(span), fixSpan.map(Self.length) ?? .zero)
        rounds += length + step
        lastTime = span.lowerBound + (.zero - step)
    }

    /// The replay stood still for `pause`.
    mutating func standStill(_ pause: Duration) { lastDue = lastDue.map { $0 + pause } }

    private static func extended(_ span: ClosedRange<UTCInstant>?, to time: UTCInstant) -> ClosedRange<UTCInstant> {
        guard let span else { return time...time }
        return min(span.lowerBound, time)...max(span.upperBound, time)
    }

    private static func length(_ span: ClosedRange<UTCInstant>) -> Duration { span.upperBound - span.lowerBound }
}
