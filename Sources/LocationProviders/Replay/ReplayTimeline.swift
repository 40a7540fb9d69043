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
            let span = span ?? time...time
            self.span = min(span.lowerBound, time)...max(span.upperBound, time)
        }
        if speed == 0 { due = now }
        lastDue = due
        return due
    }

    /// The time that a fix of log time `time` carries; `nil` where none can be told.
    mutating func stamp(_ time: UTCInstant?, utcNow: @autoclosure () -> UTCInstant?) -> UTCInstant? {
        guard let time else { return nil }
        let later = time + rounds
        guard startsNow else { return later }
        if shift == nil, let present = utcNow() { shift = present - later }
        return shift.map { later + $0 }
    }

    /// The log begins again: its times go on behind the last one, at the log's own step.
    mutating func beginAgain() {
        guard let span else { return }
        rounds += span.upperBound - span.lowerBound + step
        lastTime = span.lowerBound + (.zero - step)
    }

    /// The replay stood still for `pause`.
    mutating func standStill(_ pause: Duration) { lastDue = lastDue.map { $0 + pause } }
}
