import FixcastTestKit
import FleetWire
import Positioning
import Reporting
import Testing

/// The promise of `bound` (WIRE.md), kept by what goes over the wire alone.
@Suite struct GuaranteeTests {
    private static let bounds = [5.0, 15, 50, 100]

    /// What a receiver does with the track's reports: it decodes them, and predicts.
    private struct Receiver {
        var fixes = 0
        var reports = 0
        /// Reports whose bound is above the configured one.
        var raised = 0
        var largestShare = 0.0

        init(_ track: Track, _ policy: ReportingPolicy) throws {
            let result = track.run(policy)
            var predictor: Predictor?
            var next = 0
            for (index, fix) in track.fixes.enumerated() {
                while next < result.drafts.count, result.drafts[next].index <= index {
                    let draft = result.drafts[next].draft
                    next += 1
                    guard draft.location.isReliable else { continue }
                    predictor = Predictor(try Self.sent(draft, number: next))
                    reports += 1
                    if let bound = draft.bound, bound > policy.moving.maxError { raised += 1 }
                    try #require((draft.bound ?? 0) >= policy.moving.maxError)
                }
                if case .reject = result.decisions[index] { continue }
                guard let time = fix.timestamp, fix.isReliable, fix.intrinsicUnreliability.isEmpty else { continue }
                let promise = try #require(predictor)
                let bound = try #require(promise.bound)
                let error = Geodesy.distance(promise.position(at: time), fix.coordinate)
                // A millimetre is the tolerance of the arithmetic.
                try #require(error <= bound + 0.001, "\(track.name), fix \(index): \(error) m beyond \(bound) m")
                fixes += 1
                largestShare = max(largestShare, error / bound)
            }
            #expect(predictor == result.machine.prediction)
        }

        private static func sent(_ draft: ReportDraft, number: Int) throws -> ReportDraft {
            var bytes: [UInt8] = []
            ReportJSON.encode(
                Report(
                    identity: ReportIdentity(instance: "i", boot: 1, sequence: UInt64(number)), draft: draft),
                into: &bytes)
            return try ReportJSON.decode(bytes).draft
        }
    }

    @Test(
        .enabled(if: !Track.real.isEmpty, "\(RealData.missing)"), arguments: ReportingPolicy.Prediction.allCases, bounds
    )
    func atEachAcceptedFixOfEachRealTrackThePredictionIsWithinTheBound(
        prediction: ReportingPolicy.Prediction, bound: Double
    ) throws {
        var (fixes, reports, raised) = (0, 0, 0)
        for track in Track.real {
            let receiver = try Receiver(track, Track.policy(bound, prediction))
            fixes += receiver.fixes
            reports += receiver.reports
            raised += receiver.raised
        }
        #expect(fixes > 11_000)
        // The bound gives way to noise alone, which is far below 15 m but for one receiver.
        #expect(Double(raised) <= Double(reports) * (bound < 15 ? 0.75 : 0.05), "\(raised) of \(reports)")
    }

    @Test(arguments: ReportingPolicy.Prediction.allCases, bounds)
    func atEachFixOfMadeUpDrivesThePredictionIsWithinTheBound(
        prediction: ReportingPolicy.Prediction, bound: Double
    ) throws {
        for seed in 0..<18 {
            let receiver = try Receiver(Self.drive(seed: UInt64(seed)), Track.policy(bound, prediction))
            #expect(receiver.fixes > 100)
        }
    }

    /// Turns, stops, gaps, several rates, receivers with and without speed and course, at any place on Earth.
    private static func drive(seed: UInt64) -> Track {
        var generator = SeededGenerator(seed: seed + 1)
        func random(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
        let origins = [(52.0, 13.0), (0, 179.999), (-36, -179.9999), (70, 25), (-0.0005, 0.0003), (84, -40)]
        let origin = origins[Int(seed) % origins.count]
        let interval = [1.0, 0.2, 1, 5][Int(seed) % 4]
        let noise = [0.0, 0.3, 2][Int(seed) % 3]
        let gives = (speed: seed % 2 == 0, course: seed % 5 < 3)
        var place = Coordinate(latitude: origin.0, longitude: origin.1)
        var (time, speed, wanted, course, turn) = (0.0, 0.0, 10.0, random(0...359), 0.0)
        var fixes: [Location] = []
        while fixes.count < 1200 {
            let step = random(0...1) < 0.005 ? random(10...120) : interval
            time += step
            if random(0...1) < 0.02 { wanted = random(0...1) < 0.3 ? 0 : random(1...35) }
            if random(0...1) < 0.05 { turn = random(0...1) < 0.5 ? 0 : random(-25...25) }
            speed += max(-4 * step, min(2 * step, wanted - speed))
            course = Geodesy.normalizedCourse(course + (speed > 1 ? turn * min(step, 2) : 0))
            place = Geodesy.destination(from: place, course: course, distance: speed * step)
            let seen = Geodesy.destination(from: place, course: random(0...359), distance: noise * random(0...2))
            var fix = Location(
                coordinate: seen, horizontalAccuracy: 5, timestamp: Drive.utc((time * 1000).rounded() / 1000))
            if gives.speed { fix.speed = max(0, speed + random(-0.2...0.2)) }
            if gives.speed, gives.course { fix.course = Geodesy.normalizedCourse(course + random(-2...2)) }
            fixes.append(fix)
        }
        return Track(name: "made up \(seed)", fixes: fixes)
    }

    /// What `strict` is for: the error that a receiver sees before the update stays inside as well.
    @Test func strictSendsBeforeTheBoundIsLeft() throws {
        for seed in [0, 4, 8, 12] as [UInt64] {
            let track = Self.drive(seed: seed)
            func before(_ prediction: ReportingPolicy.Prediction) throws -> (beyond: Int, count: Int) {
                let result = track.run(Track.policy(15, prediction))
                var (predictor, next, beyond): (Predictor?, Int, Int) = (nil, 0, 0)
                for (index, fix) in track.fixes.enumerated() {
                    let time = try #require(fix.timestamp)
                    if let predictor, let bound = predictor.bound,
                        predictor.distance(to: SpherePoint(fix.coordinate), at: time) > bound
                    {
                        beyond += 1
                    }
                    while next < result.drafts.count, result.drafts[next].index <= index {
                        predictor = Predictor(result.drafts[next].draft)
                        next += 1
                    }
                }
                return (beyond, result.drafts.count)
            }
            let (lazy, strict) = (try before(.lazy), try before(.strict))
            #expect(lazy.beyond > 20)
            // What is left are gaps, which nobody can look across.
            #expect(strict.beyond * 4 <= lazy.beyond, "\(strict) \(lazy)")
            #expect(strict.count >= lazy.count)
        }
    }
}
