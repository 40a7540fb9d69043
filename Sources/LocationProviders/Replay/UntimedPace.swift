internal import Positioning

/// A pace for logs that hold no times at all, like planned routes: one position a second. In a log with times, the
/// records without one follow at once.
struct UntimedPace: Equatable, Sendable {
    private var seconds: Int64 = 0
    private var isTimed = false

    mutating func time(of record: LogRecord) -> UTCInstant? {
        if let time = record.time {
            isTimed = true
            return time
        }
        guard !isTimed else { return nil }
        seconds += 1
        return UTCInstant(milliseconds: seconds * 1000)
    }
}
