internal import Positioning

/// The store cannot be written: when it is tried again, less and less often.
struct StoreOutage: Equatable {
    private static let first: Duration = .seconds(60)
    private static let last: Duration = .seconds(600)

    private(set) var retryAt: MonotonicInstant
    private var delay: Duration

    init(now: MonotonicInstant) {
        delay = StoreOutage.first
        retryAt = now + delay
    }

    mutating func failedAgain(now: MonotonicInstant) {
        delay = min(delay * 2, StoreOutage.last)
        retryAt = now + delay
    }
}
