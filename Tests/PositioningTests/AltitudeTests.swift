import Positioning
import Testing

@Suite struct AltitudeTests {
    private func location(_ reference: AltitudeReference, _ separation: Double?) -> Location {
        var location = Location(coordinate: Coordinate(latitude: 54.5, longitude: 3.5))
        location.altitude = 100
        location.altitudeReference = reference
        location.geoidSeparation = separation
        return location
    }

    @Test func theOtherHeightNeedsTheSeparation() {
        #expect(location(.meanSeaLevel, 45).altitude(above: .wgs84Ellipsoid) == 145)
        #expect(location(.meanSeaLevel, -30).altitude(above: .wgs84Ellipsoid) == 70)
        #expect(location(.wgs84Ellipsoid, 45).altitude(above: .meanSeaLevel) == 55)
        #expect(location(.meanSeaLevel, nil).altitude(above: .wgs84Ellipsoid) == nil)
        #expect(location(.wgs84Ellipsoid, nil).altitude(above: .meanSeaLevel) == nil)
    }

    @Test func theSameHeightNeedsNone() {
        #expect(location(.meanSeaLevel, nil).altitude(above: .meanSeaLevel) == 100)
        #expect(location(.wgs84Ellipsoid, 45).altitude(above: .wgs84Ellipsoid) == 100)
    }

    @Test func withoutAltitudeThereIsNone() {
        var unknown = location(.meanSeaLevel, 45)
        unknown.altitude = nil
        #expect(unknown.altitude(above: .wgs84Ellipsoid) == nil)
        #expect(unknown.altitude(above: .meanSeaLevel) == nil)
    }
}
