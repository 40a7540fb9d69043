internal import Positioning

/// At most one notice of each kind an hour, and of good news only what answers a told outage.
struct NoticeLimit {
    private static let interval: Duration = .seconds(3600)

    private var told: [String: MonotonicInstant] = [:]
    private var isOutageTold = false

    mutating func mayTell(_ notice: OutboxNotice, now: MonotonicInstant) -> Bool {
        if notice.isRecovery {
            defer { isOutageTold = false }
            return isOutageTold
        }
        if let last = told[notice.code], now - last < NoticeLimit.interval { return false }
        told[notice.code] = now
        switch notice {
        case .unavailable, .diskFull: isOutageTold = true
        case .recovered, .salvaged, .newerVersion, .full: break
        }
        return true
    }
}
