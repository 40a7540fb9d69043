import FixcastTestKit
import Foundation
import Positioning
import Reporting
import Testing

/// A drive, real or made up, as the reporting machine gets it: each fix at the time of its making.
struct Track: CustomTestStringConvertible, Sendable {
    var name: String
    var fixes: [Location]

    var testDescription: String { name }

    /// The real tracks at hand; none where there are none.
    static let real: [Track] = (try? load()) ?? []

    private static func load() throws -> [Track] {
        try RealData.names(in: "tracks/csv", suffix: ".csv").map { name in
            let lines = String(decoding: try RealData.bytes(name), as: UTF8.self).split(separator: "\n").dropFirst()
            return Track(name: String(name.split(separator: "/").last!), fixes: lines.compactMap { fix(String($0)) })
        }
    }

    /// `time,lat,lon,alt,speed,course,hacc`; what does not say how accurate it is is assumed to be good to 5 m.
    private static func fix(_ line: String) -> Location? {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count >= 7, let latitude = Double(fields[1]), let longitude = Double(fields[2]),
            let date = date(String(fields[0]))
        else { return nil }
        var location = Location(
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            horizontalAccuracy: Double(fields[6]) ?? 5,
            timestamp: UTCInstant(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded())))
        location.isAccuracyAssumed = Double(fields[6]) == nil
        location.speed = Double(fields[4])
        location.course = Double(fields[5])
        return location
    }

    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
    }

    /// Real tracks are old, and some receivers were far worse than the limit.
    static let checks = ReportingPolicy.Checks(maxAccuracy: nil, maxAge: nil)

    /// What a policy made of the track: the drafts, each with the index of the fix at which it went out, and the decisions.
    struct Result {
        var drafts: [(index: Int, draft: ReportDraft)] = []
        var decisions: [ReportingDecision] = []
        var motions: [Motion?] = []
        var machine: ReportingMachine
    }

    func run(_ policy: ReportingPolicy, acknowledgement: Double = 0.1) -> Result {
        var result = Result(machine: ReportingMachine(policy: policy, start: Drive.start))
        guard let first = fixes.compactMap(\.timestamp).min() else { return result }
        for (index, fix) in fixes.enumerated() {
            let now = Drive.start + ((fix.timestamp ?? first) - first)
            if let deadline = result.machine.nextDeadline, deadline < now,
                let draft = result.machine.deadlinePassed(now: deadline, utc: nil)
            {
                result.drafts.append((index, draft))
            }
            let decision = result.machine.receive(fix, now: now, utc: nil)
            if let draft = decision.draft {
                result.drafts.append((index, draft))
                result.machine.acknowledged(afterNanoseconds: Int64(acknowledgement * 1e9))
            }
            result.decisions.append(decision)
            result.motions.append(result.machine.motion)
        }
        return result
    }

    static func policy(_ bound: Double, _ prediction: ReportingPolicy.Prediction) -> ReportingPolicy {
        ReportingPolicy(
            checks: checks, moving: .init(maxError: bound, prediction: prediction),
            stationary: .init(maxInterval: .seconds(300), maxError: bound, prediction: prediction))
    }
}
