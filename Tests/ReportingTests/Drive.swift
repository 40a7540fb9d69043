import Positioning
import Reporting

/// A vehicle's clock and fixes for the tests: seconds since a start on both clocks.
struct Drive {
    static let epoch = UTCInstant(milliseconds: 1_796_010_000_000)
    static let start = MonotonicInstant(nanoseconds: 50_000_000_000)

    static func mono(_ seconds: Double) -> MonotonicInstant { start + .seconds(seconds) }
    static func utc(_ seconds: Double) -> UTCInstant { epoch + .seconds(seconds) }

    /// A good fix made at `time`, `metres` north of the start.
    static func fix(at time: Double?, metres: Double = 0, accuracy: Double? = 5) -> Location {
        Location(
            coordinate: place(north: metres, east: 0), horizontalAccuracy: accuracy, timestamp: time.map(utc))
    }

    /// So many metres from the start, at the resolution of the wire.
    static func place(north: Double, east: Double) -> Coordinate {
        let offset = Velocity(north: north, east: east)
        let place = Geodesy.destination(
            from: Coordinate(latitude: 54.5, longitude: 3.5), course: offset.course, distance: offset.speed)
        return Coordinate(
            latitude: (place.latitude * 1e7).rounded() / 1e7, longitude: (place.longitude * 1e7).rounded() / 1e7)
    }

    /// A fix of a receiver that measures its velocity too.
    static func fix(at time: Double, north: Double, east: Double, speed: Double, course: Double? = nil) -> Location {
        var location = fix(at: time)
        location.coordinate = place(north: north, east: east)
        location.speed = speed
        location.course = course
        return location
    }

    /// Where nothing but the classic triggers is on, moving or not.
    static func classic(
        min: Double = 1, max: Double = 60, distance: Double = 0, unreliable: ReportingPolicy.Unreliable = .publish
    ) -> ReportingPolicy {
        let profile = ReportingPolicy.Profile(
            minInterval: .seconds(min), maxInterval: .seconds(max), maxError: 0, minDistance: distance)
        return ReportingPolicy(unreliable: unreliable, moving: profile, stationary: profile)
    }

    static func machine(_ policy: ReportingPolicy = .standard) -> ReportingMachine {
        ReportingMachine(policy: policy, start: start)
    }
}

extension ReportingMachine {
    /// Receives a fix at `time`, with a wall clock that is right.
    mutating func receive(_ location: Location, at time: Double) -> ReportingDecision {
        receive(location, now: Drive.mono(time), utc: Drive.utc(time))
    }

    mutating func deadlinePassed(at time: Double) -> ReportDraft? {
        deadlinePassed(now: Drive.mono(time), utc: Drive.utc(time))
    }
}

extension ReportingDecision {
    var draft: ReportDraft? { if case .send(let draft) = self { draft } else { nil } }
    var rejection: Rejection? { if case .reject(let rejection) = self { rejection } else { nil } }
}
