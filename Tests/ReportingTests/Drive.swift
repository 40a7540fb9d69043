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
            coordinate: Geodesy.destination(
                from: Coordinate(latitude: 54.5, longitude: 3.5), course: 0, distance: metres),
            horizontalAccuracy: accuracy, timestamp: time.map(utc))
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
