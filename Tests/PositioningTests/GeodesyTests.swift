import Positioning
import Testing

@Suite struct GeodesyTests {
    private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    @Test func distancesOnTheSphere() {
        let degree = Double.pi / 180 * 6_371_008.8
        #expect(abs(Geodesy.distance(place(0, 0), place(1, 0)) - degree) < 1e-6)
        #expect(abs(Geodesy.distance(place(0, 0), place(0, 90)) - 90 * degree) < 1e-3)
        #expect(abs(Geodesy.distance(place(12, 34), place(-12, -146)) - 180 * degree) < 1)
        #expect(Geodesy.distance(place(52.5, 13.4), place(52.5, 13.4)) == 0)
        // 1e-8 degrees of latitude are 1.1 mm: no cancellation.
        #expect(abs(Geodesy.distance(place(52.5, 13.4), place(52.50000001, 13.4)) - degree * 1e-8) < 1e-5)
    }

    @Test func theAntimeridianIsNoDistance() {
        #expect(abs(Geodesy.distance(place(0, 179.9999), place(0, -179.9999)) - 22.239) < 0.01)
        let east = Geodesy.destination(from: place(10, 179.9999), course: 90, distance: 100)
        #expect(east.longitude < -179.9 && east.isCorrect)
        let west = Geodesy.destination(from: place(10, -179.9999), course: 270, distance: 100)
        #expect(west.longitude > 179.9 && west.isCorrect)
        #expect(abs(Geodesy.initialCourse(from: place(0, 179.9), to: place(0, -179.9)) - 90) < 1e-9)
    }

    @Test func thePolesAreReachedAndLeft() {
        #expect(Geodesy.distance(place(90, 0), place(90, 123)) < 1e-6)
        let over = Geodesy.destination(from: place(89.9999, 20), course: 0, distance: 100)
        #expect(over.isCorrect && over.latitude > 89.99)
        #expect(abs(abs(over.longitude - 20) - 180) < 1e-6)
        let south = Geodesy.destination(from: place(90, 0), course: 180, distance: 1000)
        #expect(south.isCorrect)
        #expect(abs(Geodesy.distance(place(90, 0), south) - 1000) < 1e-3)
    }

    @Test(arguments: [0.0, 45, 90, 135.5, 180, 271.3, 359.9], [0.001, 5, 1000, 250_000])
    func thereAndBackAgain(course: Double, distance: Double) {
        for start in [place(54.5, 3.5), place(-33.9, 151.2), place(0, 0), place(70, -179.9)] {
            let end = Geodesy.destination(from: start, course: course, distance: distance)
            #expect(end.isCorrect)
            #expect(abs(Geodesy.distance(start, end) - distance) < 1e-3)
            if distance > 1 {
                let turn = abs(Geodesy.initialCourse(from: start, to: end) - course)
                #expect(min(turn, 360 - turn) < 1e-3)
            }
        }
    }

    @Test func whatIsNoPlaceIsNoDistance() {
        #expect(Geodesy.distance(place(.nan, 0), place(1, 1)).isNaN)
        #expect(Geodesy.distance(place(1, 1), place(0, .infinity)).isNaN)
        #expect(Geodesy.destination(from: place(.nan, 0), course: 0, distance: 1).latitude.isNaN)
    }

    @Test(arguments: [
        (360.0, 0.0), (0, 0), (-0.0, 0), (-90, 270), (725, 5), (-720, 0), (359.999, 359.999), (-1e-20, 0),
    ])
    func rule11CoursesAreNormalised(degrees: Double, course: Double) {
        let normalised = Geodesy.normalizedCourse(degrees)
        #expect(abs(normalised - course) < 1e-9)
        #expect(normalised >= 0 && normalised < 360 && normalised.sign == .plus)
    }

    @Test func theCourseBetweenEqualPlacesIsNorth() {
        #expect(Geodesy.initialCourse(from: place(1, 1), to: place(1, 1)) == 0)
    }
}
