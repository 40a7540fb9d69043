internal import Positioning

/// Each fix is newer than the one accepted before, by the receiver's own time.
///
/// A receiver whose time goes back (a leap second, a restart, one fix that was far ahead) is not locked out for ever:
/// ``runLength`` older fixes in a row over ``runDuration``, each newer than the one before, are believed to be a new time
/// base; a burst of late ones is not.
struct OrderCheck: Equatable, Sendable {
    enum Verdict: Equatable {
        case newer
        /// The receiver's time base has changed: what was learnt from the old one is void.
        case newTimeBase
        case rejected(Rejection)
    }

    /// How many fixes make a new time base.
    static let runLength = 5
    /// How long they come at least.
    static let runDuration = Duration.seconds(1)

    private var newest: UTCInstant?
    private var runTime: UTCInstant?
    private var runStart: MonotonicInstant?
    private var run = 0

    /// Judges a fix; a rejected one changes only the run that leads to a new time base.
    mutating func judge(_ time: UTCInstant, now: MonotonicInstant) -> Verdict {
        guard let newest, time <= newest else { return .newer }
        guard time < newest else { return .rejected(Rejection(rule: .duplicate, value: 0, threshold: 0)) }
        if let runStart, let runTime, time >= runTime {
            if time > runTime { run += 1 }
            self.runTime = time
            if run >= Self.runLength, now - runStart >= Self.runDuration { return .newTimeBase }
        } else {
            runStart = now
            runTime = time
            run = 1
        }
        return .rejected(Rejection(rule: .outOfOrder, value: (newest - time).inSeconds, threshold: 0))
    }

    /// Whether accepting this time means that the time base has changed.
    func isOlder(_ time: UTCInstant) -> Bool { newest.map { time < $0 } ?? false }

    mutating func accept(_ time: UTCInstant) {
        newest = time
        runTime = nil
        runStart = nil
        run = 0
    }
}
