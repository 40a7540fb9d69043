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
    /// User equivalent range error in metres, 68 %: the stated accuracy is HDOP times this.
    static let uere = 3.0
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

    /// - Parameter rate: fixes per second, above 0.
    init(route: SimulatedRoute = .town, seed: UInt64, rate: Double = 1) {
        precondition(rate > 0 && rate.isFinite, "a rate is above zero")
        self.route = route
        interval = 1 / rate
        generator = SeededGenerator(seed: seed)
        standing = min(5, route.vertices[0].dwell)
        eastError = CorrelatedNoise(step: interval, timeConstant: 60, using: &generator)
        northError = CorrelatedNoise(step: interval, timeConstant: 60, using: &generator)
        upError = CorrelatedNoise(step: interval, timeConstant: 60, using: &generator)
        sky = CorrelatedNoise(step: interval, timeConstant: 300, using: &generator)
    }

    /// Where the vehicle truly is.
    var truth: Coordinate {
        let (east, north) = place
        return route.coordinate(east: east, north: north)
    }

    private var place: (east: Double, north: Double) {
        let vertex = route.vertices[index]
        let next = route.vertices[(index + 1) % route.vertices.count]
        let share = vertex.length > 0 ? along / vertex.length : 0
        return (vertex.east + (next.east - vertex.east) * share, vertex.north + (next.north - vertex.north) * share)
    }

    /// The fix that the receiver makes now, dated `time`.
    func fix(at time: UTCInstant?) -> Location {
        let hdop = (max(0.7, min(2.5, 1.0 + 0.2 * sky.value)) * 100).rounded() / 100
        let accuracy = hdop * Self.uere
        let deviation = accuracy / Self.radiusPerDeviation
        let (east, north) = place
        let vertex = route.vertices[index]
        let next = route.vertices[(index + 1) % route.vertices.count]
        let height = vertex.altitude + (next.altitude - vertex.altitude) * (along / max(vertex.length, 1))
        var location = Location(
            coordinate: route.coordinate(
                east: east + eastError.value * deviation, north: north + northError.value * deviation),
            horizontalAccuracy: accuracy, timestamp: time)
        location.altitude = height + upError.value * accuracy
        location.verticalAccuracy = accuracy
        location.speed = max(0, speed + (speed > 0 ? 0.05 * northError.value : 0))
        location.speedAccuracy = 0.2
        // A receiver that stands does not know where it is heading.
        if speed > 0.5 {
            location.course = Geodesy.normalizedCourse(vertex.course + eastError.value * min(8, 6 / speed))
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
        let next = route.vertices[(index + 1) % route.vertices.count]
        let ahead = max(0, vertex.length - along)
        let braked = (next.speed * next.speed + 2 * SimulatedRoute.braking * ahead).squareRoot()
        // It creeps up to a stop, or it would never arrive.
        speed = min(speed + Self.acceleration * step, max(min(braked, vertex.limit), 0.3))
        along += speed * step
        while along >= route.vertices[index].length {
            along -= route.vertices[index].length
            index = (index + 1) % route.vertices.count
            if route.vertices[index].dwell > 0 {
                (along, speed, standing) = (0, 0, route.vertices[index].dwell)
                return
            }
        }
    }
}
