internal import Positioning

/// How far a receiver's fixes scatter, by what they show, not by what it says: gpsd's `eph` is a multiple of HDOP whatever
/// the receiver does. While moving steadily, the distance of a fix from where the one before and its velocity lead; while
/// parked, from the mean of the last minutes.
struct NoiseEstimate: Equatable, Sendable {
    /// Fewer seconds between two fixes tell the scatter; more, the driver.
    static let longestStep = 2.5
    /// Metres per second squared below which motion is steady.
    static let steady = 1.0
    /// How many medians a fix is off at the most, but for one in 70 000 where errors are normal.
    static let reach = 4.0

    private var moving = QuantileEstimate(quantile: 0.5, rate: 0.2, initial: 0.3, range: 0.01...1000)
    private var parked = QuantileEstimate(quantile: 0.5, rate: 0.2, initial: 0.3, range: 0.01...1000)
    private var before: (point: SpherePoint, velocity: Velocity, instant: FixInstant)?
    /// Unit vector of the mean place while parked, and how many fixes it is the mean of.
    private var mean: SIMD3<Double>?
    private var count = 0.0

    /// The bound below which noise alone would send reports, in metres.
    func floor(_ motion: Motion?) -> Double { Self.reach * (motion == .stationary ? parked : moving).value }

    mutating func update(_ point: SpherePoint, _ velocity: Velocity?, at instant: FixInstant, _ motion: Motion?) {
        if motion == .stationary {
            before = nil
            updateParked(point)
        } else {
            mean = nil
            updateMoving(point, velocity, at: instant)
        }
    }

    /// Nothing follows from the fix before.
    mutating func reset() {
        before = nil
        mean = nil
    }

    private mutating func updateMoving(_ point: SpherePoint, _ velocity: Velocity?, at instant: FixInstant) {
        defer { before = velocity.map { (point, $0, instant) } }
        guard let velocity, let before else { return }
        let seconds = instant.seconds(since: before.instant)
        guard seconds > 0, seconds <= Self.longestStep else { return }
        let change = Velocity(
            north: velocity.north - before.velocity.north, east: velocity.east - before.velocity.east)
        guard change.speed <= Self.steady * seconds else { return }
        let offset = point.offset(from: before.point)
        moving.take(
            Velocity(
                north: offset.north - before.velocity.north * seconds,
                east: offset.east - before.velocity.east * seconds
            ).speed)
    }

    private mutating func updateParked(_ point: SpherePoint) {
        guard let mean else {
            self.mean = point.up
            count = 1
            return
        }
        let difference = point.up - mean
        parked.take((difference * difference).sum().squareRoot() * Geodesy.earthRadius)
        count = min(count + 1, 120)
        self.mean = mean + difference / count
    }

    static func == (a: NoiseEstimate, b: NoiseEstimate) -> Bool {
        a.moving == b.moving && a.parked == b.parked && a.mean == b.mean && a.count == b.count
            && a.before?.point == b.before?.point && a.before?.velocity == b.before?.velocity
            && a.before?.instant == b.before?.instant
    }
}
