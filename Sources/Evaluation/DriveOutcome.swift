/// What a policy cost and how far off its receiver was, over one drive or several.
public struct DriveOutcome: Equatable, Sendable {
    public var messages = 0
    /// As sent, with the framing of MQTT.
    public var bytes = 0
    public var hours = 0.0
    /// Fixes that were not believed; they count neither as sent nor as an error.
    public var rejected = 0
    /// At each fix, before it is sent: metres between it and what the receiver shows.
    public var errors: [Double] = []

    public init(hours: Double = 0) { self.hours = hours }

    public mutating func add(_ other: DriveOutcome) {
        messages += other.messages
        bytes += other.bytes
        hours += other.hours
        rejected += other.rejected
        errors += other.errors
    }

    public var messagesPerHour: Double { hours > 0 ? Double(messages) / hours : 0 }
    public var bytesPerHour: Double { hours > 0 ? Double(bytes) / hours : 0 }
    public var meanError: Double { errors.isEmpty ? 0 : errors.reduce(0, +) / Double(errors.count) }
    public var largestError: Double { errors.max() ?? 0 }

    /// The value that this share of the errors, in (0, 1], does not exceed.
    public func errorPercentile(_ share: Double) -> Double {
        guard !errors.isEmpty else { return 0 }
        let sorted = errors.sorted()
        return sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
    }
}
