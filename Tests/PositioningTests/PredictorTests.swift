import Positioning
import Testing

@Suite struct PredictorTests {
    private static let time = UTCInstant(milliseconds: 1_796_010_000_000)

    private func draft(
        _ latitude: Double = 52, _ longitude: Double = 13, speed: Double? = nil, course: Double? = nil,
        mv: Velocity? = nil, due: Double? = 75
    ) -> ReportDraft {
        var location = Location(
            coordinate: Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracy: 5,
            timestamp: Self.time)
        location.speed = speed
        location.course = course
        return ReportDraft(location: location, due: due, predictionVelocity: mv)
    }

    /// The plain formulas of ``Geodesy`` are the oracle.
    @Test(
        arguments: [0.0, 45, 90, 133.3, 180, 271.2, 359.9],
        [(52.0, 13.0), (0.0, 0.0), (-33.9, 151.2), (51, 179.9999), (-51, -179.9999), (89.999, 20), (-89.9999, -70)])
    func movesAlongAGreatCircle(course: Double, place: (Double, Double)) throws {
        let predictor = try #require(Predictor(draft(place.0, place.1, speed: 31.25, course: course)))
        // The arc sine of the oracle loses digits near the poles.
        let tolerance = abs(place.0) > 89 ? 1e-3 : 1e-5
        for seconds in [0.2, 1, 17, 60, 74.9] {
            let expected = Geodesy.destination(
                from: predictor.origin, course: course, distance: 31.25 * seconds)
            let reached = predictor.position(at: Self.time + .seconds(seconds))
            #expect(Geodesy.distance(expected, reached) < tolerance)
            #expect(predictor.distance(to: SpherePoint(expected), at: Self.time + .seconds(seconds)) < tolerance)
            #expect(reached.isCorrect)
        }
    }

    @Test func standsBeforeItsTimeAndPastItsHorizon() throws {
        let predictor = try #require(Predictor(draft(speed: 10, course: 90, due: 20)))
        #expect(predictor.position(at: Self.time + .seconds(-5)) == predictor.origin)
        let last = predictor.position(at: Self.time + .seconds(20))
        #expect(abs(Geodesy.distance(predictor.origin, last) - 200) < 1e-6)
        #expect(predictor.position(at: Self.time + .seconds(20_000)) == last)
        #expect(predictor.position(at: UTCInstant(milliseconds: .max)) == last)
        #expect(predictor.position(at: UTCInstant(milliseconds: .min)) == predictor.origin)
    }

    @Test func thePredictionVelocityComesBeforeTheMeasuredOne() throws {
        func velocity(_ draft: ReportDraft) -> Velocity? { Predictor(draft)?.velocity }
        #expect(velocity(draft(speed: 10, course: 0, mv: .zero)) == .zero)
        #expect(velocity(draft(mv: Velocity(north: 1, east: -2))) == Velocity(north: 1, east: -2))
        #expect(velocity(draft(speed: 10, course: 0)) == Velocity(north: 10, east: 0))
        #expect(velocity(draft(speed: 10)) == .zero)
        #expect(velocity(draft(course: 10)) == .zero)
        #expect(velocity(draft(speed: 0, course: 10)) == .zero)
    }

    @Test func aReportWithoutAPromiseDoesNotMove() throws {
        var undated = draft(speed: 10, course: 0)
        undated.location.timestamp = nil
        for draft in [undated, draft(speed: 10, course: 0, due: nil)] {
            let predictor = try #require(Predictor(draft))
            #expect(predictor.position(at: Self.time + .seconds(60)) == predictor.origin)
        }
        #expect(Predictor(draft(91, 0)) == nil)
        #expect(Predictor(draft(.nan, 0)) == nil)
    }

    @Test func looksAhead() throws {
        let predictor = try #require(Predictor(draft(speed: 10, course: 0)))
        let now = Self.time + .seconds(10)
        let place = SpherePoint(Geodesy.destination(from: predictor.position(at: now), course: 90, distance: 3))
        let away = predictor.deviation(of: place, moving: Velocity(north: 10, east: 4), at: now, lookAhead: 2)
        #expect(abs(away.distance - 3) < 1e-3 && abs(away.ahead - 11) < 1e-3)
        let back = predictor.deviation(of: place, moving: Velocity(north: 10, east: -1.5), at: now, lookAhead: 2)
        #expect(abs(back.distance - 3) < 1e-3 && back.ahead < 1e-3)
    }

    @Test func spherePointsMeasureAsGeodesyDoes() {
        let places = [(52.0, 13.0), (52.0000001, 13), (52.01, 13.02), (-33, 151), (90, 0), (0, 180), (0, -180)]
            .map { Coordinate(latitude: $0.0, longitude: $0.1) }
        for a in places {
            for b in places {
                let expected = Geodesy.distance(a, b)
                #expect(abs(SpherePoint(a).distance(to: SpherePoint(b)) - expected) <= 1e-6 + expected * 1e-9)
            }
        }
        let offset = SpherePoint(Coordinate(latitude: 0.001, longitude: -179.9995))
            .offset(from: SpherePoint(Coordinate(latitude: 0, longitude: 179.9995)))
        #expect(abs(offset.north - 111.195) < 0.001 && abs(offset.east - 111.195) < 0.001)
    }

    @Test func coursesAndVelocitiesConvert() {
        for course in stride(from: 0.0, to: 360, by: 7.5) {
            let velocity = Velocity(speed: 12, course: course)
            #expect(abs(velocity.speed - 12) < 1e-12 && abs(velocity.course - course) < 1e-9)
        }
        #expect(Velocity.zero.course == 0)
    }
}
