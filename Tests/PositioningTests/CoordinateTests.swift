import Positioning
import Testing

@Suite struct CoordinateTests {
    @Test(arguments: [(90, 180), (-90, -180), (0, 0), (51.5, 0)])
    func boundsAreCorrect(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude).isCorrect)
    }

    @Test(arguments: [(90.0000001, 0), (0, -180.0000001), (Double.nan, 0), (0, .infinity), (91, 0), (10, -181)])
    func beyondThemIsNotAPlace(latitude: Double, longitude: Double) {
        #expect(!Coordinate(latitude: latitude, longitude: longitude).isCorrect)
    }
}
