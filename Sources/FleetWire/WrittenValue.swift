internal import Positioning

/// Which numbers of a report are written, in both forms; `nil` for those that are not.
enum WrittenValue {
    /// Never NaN or an infinity.
    @inline(__always)
    static func finite(_ value: Double?) -> Double? {
        guard let value, value.isFinite else { return nil }
        return value
    }

    @inline(__always)
    static func notNegative(_ value: Double?) -> Double? {
        guard let value, value.isFinite, value >= 0 else { return nil }
        return value
    }

    /// An accuracy above zero never becomes zero, which would say that it is unusable.
    @inline(__always)
    static func accuracy(_ value: Double?) -> Double? {
        guard let value = notNegative(value) else { return nil }
        return value > 0 ? max(value, 0.001) : 0
    }

    /// 359.95 degrees and above would round to 360, which is 0.
    @inline(__always)
    static func course(_ course: Double) -> Double? {
        guard course >= 0, course <= 360 else { return nil }
        return course >= 359.95 ? 0 : course
    }

    @inline(__always)
    static func velocity(_ velocity: Velocity?) -> Velocity? {
        guard let velocity, velocity.north.isFinite, velocity.east.isFinite else { return nil }
        return velocity
    }
}
