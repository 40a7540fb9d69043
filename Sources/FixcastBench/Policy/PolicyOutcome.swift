/// What a policy cost and how far off its receiver was, over one track or several.
struct PolicyOutcome {
    var messages = 0
    var bytes = 0
    var hours = 0.0
    /// At each fix, before it is sent: metres between it and what the receiver shows.
    var errors: [Double] = []

    mutating func add(_ other: PolicyOutcome) {
        messages += other.messages
        bytes += other.bytes
        hours += other.hours
        errors += other.errors
    }

    var messagesPerHour: Double { hours > 0 ? Double(messages) / hours : 0 }
    var bytesPerHour: Double { hours > 0 ? Double(bytes) / hours : 0 }
    var mean: Double { errors.isEmpty ? 0 : errors.reduce(0, +) / Double(errors.count) }
    var largest: Double { errors.max() ?? 0 }

    /// The value that this share of the errors does not exceed.
    func percentile(_ share: Double) -> Double {
        guard !errors.isEmpty else { return 0 }
        let sorted = errors.sorted()
        return sorted[min(sorted.count - 1, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
    }
}
