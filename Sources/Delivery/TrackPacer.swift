internal import Positioning

/// How fast a backlog may go, in reports and in bytes a second. A batch may take it into debt, which time pays.
struct TrackPacer {
    private struct Bucket {
        let rate: Double
        /// At most one second's worth.
        var balance: Double

        init?(_ rate: Double?) {
            guard let rate else { return nil }
            self.rate = rate
            balance = rate
        }

        mutating func spend(_ amount: Double, afterSeconds seconds: Double) {
            balance = min(rate, balance + rate * seconds) - amount
        }

        /// Seconds until the debt is paid.
        var wait: Double { balance >= 0 ? 0 : -balance / rate }
    }

    private var reports: Bucket?
    private var bytes: Bucket?
    private var refilledAt: MonotonicInstant?
    /// When the next batch may go, where it may not go at once.
    private(set) var readyAt: MonotonicInstant?

    init(reportsPerSecond: Double?, bytesPerSecond: Double?) {
        reports = Bucket(reportsPerSecond)
        bytes = Bucket(bytesPerSecond)
    }

    func isReady(now: MonotonicInstant) -> Bool { readyAt.map { $0 <= now } ?? true }

    mutating func spend(reports count: Int, bytes length: Int, now: MonotonicInstant) {
        let seconds = refilledAt.map { Double(now.nanoseconds(since: $0)) / 1e9 } ?? 0
        refilledAt = now
        reports?.spend(Double(count), afterSeconds: seconds)
        bytes?.spend(Double(length), afterSeconds: seconds)
        let wait = max(reports?.wait ?? 0, bytes?.wait ?? 0)
        readyAt = wait > 0 ? now + .nanoseconds(Int64(wait * 1e9) + 1) : nil
    }
}
