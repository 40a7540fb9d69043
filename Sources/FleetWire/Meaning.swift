internal import Positioning

/// What a number of a report can mean, in whichever form it came; `nil` for one that its key cannot mean.
enum Meaning {
    static func notNegative(_ value: Double) -> Double? { value >= 0 ? value : nil }

    static func positive(_ value: Double) -> Double? { value > 0 ? value : nil }

    static func course(_ value: Double) -> Double? {
        value >= 0 && value <= 360 ? (value == 360 ? 0 : value) : nil
    }

    static func satellites(_ value: Int64) -> Int? { (0...10_000).contains(value) ? Int(value) : nil }

    /// At most about 30 years, which no promise and no boot lasts.
    static func seconds(_ value: Double) -> Double? { value >= 0 && value <= 1e9 ? value : nil }

    /// Ten kilometres per second is more than anything on Earth does.
    static func velocity(_ north: Double, _ east: Double) -> Velocity? {
        abs(north) < 10_000 && abs(east) < 10_000 ? Velocity(north: north, east: east) : nil
    }
}
