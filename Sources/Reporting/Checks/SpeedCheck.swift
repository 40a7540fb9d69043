internal import Positioning

/// The receiver's own speed is one that the vehicle can have.
enum SpeedCheck {
    static func reject(_ location: Location, limit: Double?) -> Rejection? {
        guard let limit, let speed = location.speed, speed > limit else { return nil }
        return Rejection(rule: .speed, value: speed, threshold: limit)
    }
}
