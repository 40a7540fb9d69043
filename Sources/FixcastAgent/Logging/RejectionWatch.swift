internal import Reporting

/// Notices that a check lets nothing through: the first fixes, or as many in a row later, were all rejected by one rule.
/// What is rejected now and then is only counted.
struct RejectionWatch: Equatable {
    /// So many in a row are no accident: 20 seconds of most receivers.
    static let length = 20

    private var rule: RejectionRule?
    private var count = 0
    /// Each rule is told once: one that bites for good shows in the health counters.
    private var told: Set<RejectionRule> = []

    /// A fix was plausible.
    mutating func accepted() { count = 0 }

    /// A fix was rejected; returns whether to warn of its rule now.
    mutating func rejected(_ rejection: Rejection) -> Bool {
        if rule != rejection.rule {
            rule = rejection.rule
            count = 0
        }
        guard count < Self.length else { return false }
        count += 1
        return count == Self.length && told.insert(rejection.rule).inserted
    }

    /// What is wrong, with the rejected fix as the example, and what would be right.
    ///
    /// - Parameter replay: the section of the replay that the positions come from, for example `provider`; `nil` where they
    ///   come from elsewhere.
    static func warning(_ rejection: Rejection, replay: String?) -> String {
        "no position passes: \(length) in a row were rejected, the last one because \(cause(rejection)); \(remedy(rejection.rule, replay))"
    }

    private static func cause(_ rejection: Rejection) -> String {
        let value = rounded(rejection.value)
        let threshold = rounded(rejection.threshold)
        switch rejection.rule {
        case .duplicate: return "its time was already seen"
        case .outOfOrder: return "it is \(value) s older than the newest one"
        case .date: return "its date is \(value) s before this program was made"
        case .future: return "it is \(value) s ahead of the clock (limit \(threshold) s)"
        case .stale: return "it is \(value) s old (checks.max-age is \(threshold) s)"
        case .nullIsland: return "it is at 0, 0"
        case .inaccurate: return "it is accurate to \(value) m only (checks.max-accuracy is \(threshold) m)"
        case .warmUp: return "it came \(value) s after the first one (checks.warm-up is \(threshold) s)"
        case .speed: return "its speed is \(value) m/s (checks.max-speed is \(threshold) m/s)"
        case .jump: return "it would take \(value) m/s to get there (checks.max-speed is \(threshold) m/s)"
        case .frozen: return "its place has not changed for \(value) s while its speed says that it moves"
        case .unreliable: return "it is unreliable and reporting.unreliable is drop"
        }
    }

    private static func remedy(_ rule: RejectionRule, _ replay: String?) -> String {
        switch rule {
        case .date, .stale, .future:
            if let replay {
                return "a drive of another day is replayed with \(replay).replay.time: now"
            }
            return rule == .stale
                ? "set the host's clock and the receiver's right, or checks.max-age higher"
                : "set the host's clock and the receiver's right"
        case .duplicate, .outOfOrder: return "the receiver's clock stands or went back: restart the receiver"
        case .nullIsland: return "the receiver has no position yet: look at its antenna"
        case .inaccurate: return "look at the receiver's antenna, or set checks.max-accuracy higher"
        case .warmUp: return "wait, or set checks.warm-up lower"
        case .speed, .jump: return "set checks.max-speed to what the vehicle can do"
        case .frozen: return "restart the receiver"
        case .unreliable:
            return "let the source say how accurate it is (assume-accuracy), or set reporting.unreliable: publish"
        }
    }

    private static func rounded(_ number: Double) -> String {
        guard abs(number) < 1e15 else { return "\(number)" }
        let tenths = (number * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int64(tenths))" : "\(tenths)"
    }
}
