internal import Positioning

/// The publishing limit on accuracy. An accuracy that is missing or makes no sense is not inaccurate but unreliable
/// (SEMANTICS rules 1 and 2).
enum AccuracyCheck {
    static func reject(_ location: Location, limit: Double?) -> Rejection? {
        guard let limit, location.hasUsableAccuracy, let accuracy = location.horizontalAccuracy, accuracy > limit
        else { return nil }
        return Rejection(rule: .inaccurate, value: accuracy, threshold: limit)
    }
}
