internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A drive along a closed route, for ever, and what a GNSS receiver in it would say: pure, and the same for the same
/// seed. Errors wander (Gauss-Markov, 60 s) with a deviation that HDOP and accuracy tell truly.
struct DriveSimulation: Equatable, Sendable {
    static let acceleration = 1.4
    /// What a receiver without noise says of its accuracy, metres: nothing is known better.
    static let bestAccuracy = 0.1
    /// The 68 % radius of a circular normal error in units of its deviation along one axis.
    static let radiusPerDeviation = 1.515

    let route: SimulatedRoute
    /// Seconds between fixes.
    let interval: Double
    private var generator: SeededGenerator
    private var (index, along) = (0, 0.0)
    private(set) var speed = 0.0
    private var standing: Double
    private var (eastError, northError, upError): (CorrelatedNoise, CorrelatedNoise, CorrelatedNoise)
    private var sky: CorrelatedNoise
    /// User equivalent range error in metres, 68 %: the stated accuracy is HDOP times this.
    let noise: Double
    private var outages: SimulatedOutages

    /// - Parameter rate: fixes per second, above 0.
    init(
        route: SimulatedRoute = .town, seed: UInt64, rate: Double = 1, noise: Double = 3,
        outages: SimulatorSettings.Outages? = nil
    ) {
        precondition(rate > 0 && rate.isFinite, "a rate is above zero")
        self.route = route
        interval = 1 / rate
        self.noise = noise
        // Numbers of their own, so that outages change nothing else.
        self.outages = SimulatedOutages(outages, seed: seed &+ 0x6F75_7461_6765)
        generator = SeededGenerator(seed: seed)
        standing = min(5, route.vertices[0].dwell)
        eastError = CorrelatedNoise(step: interval, timeConstant: 60, using: &generator)
        northError = CorrelatedNoise(step: interval, timeConstant: 60, using: &generator)
        upError = CorrelatedNoise(step: interval, timeConstant: 60, using: &generator)
        sky = CorrelatedNoise(step: interval, timeConstant: 300, using: &generator)
    }

    /// Whether the receiver sees no satellites now: the vehicle is in a tunnel.
    var isInOutage: Bool { outages.isNow }

    /// Where the vehicle truly is.
    var truth: Coordinate { route.coordinate(behind: index, share: share) }

    /// Of the way to the next vertex.
    private var share: Double {
        let length = route.vertices[index].length
        return length > 0 ? along / length : 0
    }

    /// The fix that the receiver makes now, dated `time`.
    func fix(at time: UTCInstant?) -> Location {
        let hdop = (max(0.7, min(2.5, 1.0 + 0.2 * sky.value)) * 100).rounded() / 100
        let accuracy = hdop * noise
        let deviation = accuracy / Self.radiusPerDeviation
        // Doppler is good where ranges are.
        let quality = min(1, noise / 3)
        let vertex = route.vertices[index]
        var location = Location(
            coordinate: SimulatedRoute.place(
                truth, east: eastError.value * deviation, north: northError.value * deviation),
            horizontalAccuracy: max(accuracy, Self.bestAccuracy), timestamp: time)
        if let altitude = vertex.altitude {
            let next = route.vertices[route.next(after: index)].altitude ?? altitude
            location.altitude = altitude + (next - altitude) * share + upError.value * accuracy
            location.verticalAccuracy = max(accuracy, Self.bestAccuracy)
        }
        location.speed = max(0, speed + (speed > 0 ? 0.05 * quality * northError.value : 0))
        location.speedAccuracy = max(0.2 * quality, 0.01)
        // A receiver that stands does not know where it is heading.
        if speed > 0.5 {
            location.course = Geodesy.normalizedCourse(vertex.course + eastError.value * quality * min(8, 6 / speed))
            location.courseAccuracy = min(30, 180 / .pi * atan2(0.2, speed))
        }
        location.fix = .threeD
        location.source = "simulator"
        location.isSimulated = true
        location.satellitesUsed = max(5, min(16, 11 - Int((sky.value * 2).rounded())))
        location.hdop = hdop
        return location
    }

    /// Drives on to the time of the next fix.
    mutating func advance() {
        eastError.advance(using: &generator)
        northError.advance(using: &generator)
        upError.advance(using: &generator)
        sky.advance(using: &generator)
        outages.advance(by: interval)
        var left = interval
        while left > 0 {
            let step = min(left, 0.1)
            drive(step)
            left -= step
        }
    }

    private mutating func drive(_ step: Double) {
        if standing > 0 {
            standing -= step
            return
        }
        let vertex = route.vertices[index]
        let next = route.vertices[route.next(after: index)]
        let ahead = max(0, vertex.length - along)
        let braked = (next.speed * next.speed + 2 * SimulatedRoute.braking * ahead).squareRoot()
        // It creeps up to a stop, or it would never arrive.
        speed = min(speed + Self.acceleration * step, max(min(braked, vertex.limit), 0.3))
        along += speed * step
        while along >= route.vertices[index].length {
            along -= route.vertices[index].length
            index = route.next(after: index)
            if route.vertices[index].dwell > 0 {
                (along, speed, standing) = (0, 0, route.vertices[index].dwell)
                return
            }
        }
    }
}
