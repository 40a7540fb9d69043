import Positioning
import Testing

@Suite struct MercatorTests {
    /// Latitude, longitude, then easting and northing for both spheres, by PROJ 9.1.1:
    ///
    ///     cs2cs -f %.6f EPSG:4326 EPSG:3857          # of latitude, longitude
    ///     proj -f %.6f +proj=merc +R=6371000         # of longitude, latitude
    private static let reference: [(Double, Double, web: (Double, Double), navigation: (Double, Double))] = [
        (0, 0, (0, 0), (0, 0)),
        (49, 8.4, (935083.722663, 6274861.394007), (934037.383814, 6267839.957219)),
        (52.52, 13.405, (1492237.774084, 6894699.801282), (1490567.991670, 6886984.778466)),
        (-33.8688, 151.2093, (16832542.279207, -4011198.647308), (16813707.021475, -4006710.201113)),
        (64.1466, -21.9426, (-2442639.058680, 9387089.649838), (-2439905.797391, 9376585.695653)),
        (0.0000001, -0.0000001, (-0.011132, 0.011132), (-0.011119, 0.011119)),
        (-89, 0, (0, -30240971.958386), (0, -30207132.952283)),
        (89.9, 45, (5009377.085697, 44927335.427097), (5003771.699005, 44877062.691823)),
        (85.0511287798066, 180, (20037508.342789, 20037508.342789), (20015086.796021, 20015086.796021)),
        (-85.0511287798066, -180, (-20037508.342789, -20037508.342789), (-20015086.796021, -20015086.796021)),
        (12.3456789, -179.9999999, (-20037508.331657, 1385074.377306), (-20015086.784901, 1383524.508460)),
    ]

    @Test(arguments: reference.indices) func theProjectionIsProjs(_ index: Int) throws {
        let (latitude, longitude, web, navigation) = Self.reference[index]
        let place = Coordinate(latitude: latitude, longitude: longitude)
        for (projection, expected) in [(MercatorProjection.web, web), (.navigation, navigation)] {
            let point = try #require(projection.point(place))
            #expect(abs(point.x - expected.0) < 1e-6)
            #expect(abs(point.y - expected.1) < 1e-6)
            let back = try #require(projection.coordinate(point))
            #expect(abs(back.latitude - latitude) < 1e-11)
            #expect(abs(back.longitude - longitude) < 1e-11)
        }
    }

    /// `cs2cs -I -f %.10f EPSG:4326 EPSG:3857` and `proj -I -f %.10f +proj=merc +R=6371000` of easting, northing.
    @Test func theWayBackIsProjs() {
        let cases: [(MercatorProjection, MercatorPoint, Double, Double)] = [
            (.web, MercatorPoint(x: 950000, y: 6_275_000), 49.0008168647, 8.5339951991),
            (.web, MercatorPoint(x: -17_000_000, y: -4_000_000), -33.7852300700, -152.7135983003),
            (.navigation, MercatorPoint(x: 950000, y: 6_275_000), 49.0422269151, 8.5435552562),
            (.navigation, MercatorPoint(x: -17_000_000, y: -4_000_000), -33.8186788167, -152.8846730062),
        ]
        for (projection, point, latitude, longitude) in cases {
            let place = projection.coordinate(point)
            #expect(abs((place?.latitude ?? .nan) - latitude) < 1e-10)
            #expect(abs((place?.longitude ?? .nan) - longitude) < 1e-10)
        }
    }

    @Test func theTwoSpheresDifferBySevenKilometresAt49North() throws {
        let place = Coordinate(latitude: 49, longitude: 0)
        let web = try #require(MercatorProjection.web.point(place))
        let navigation = try #require(MercatorProjection.navigation.point(place))
        #expect(abs(web.y - navigation.y - 7021) < 1)
    }

    @Test(arguments: [
        Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 0),
        Coordinate(latitude: 91, longitude: 0), Coordinate(latitude: 0, longitude: 180.1),
        Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 0, longitude: .infinity),
    ])
    func thePolesAndWhatIsNoPlaceAreNotOnTheMap(_ place: Coordinate) {
        #expect(MercatorProjection.web.point(place) == nil)
    }

    @Test func beyondTheAntimeridianTheWorldBeginsAgain() {
        let web = MercatorProjection.web
        let half = web.worldWidth / 2
        func longitude(_ x: Double) -> Double { web.coordinate(MercatorPoint(x: x, y: 0))?.longitude ?? .nan }
        #expect(longitude(half) == 180)
        #expect(longitude(-half) == -180)
        #expect(abs(longitude(half + half / 180) + 179) < 1e-9)
        #expect(abs(longitude(-half - half / 180) - 179) < 1e-9)
        #expect(abs(longitude(5 * web.worldWidth) - 0) < 1e-9)
        #expect(web.coordinate(MercatorPoint(x: .nan, y: 0)) == nil)
        #expect(web.coordinate(MercatorPoint(x: 0, y: .infinity)) == nil)
        // As far north as numbers go is the pole, and still a place.
        #expect(web.coordinate(MercatorPoint(x: 0, y: 1e12))?.isCorrect == true)
    }
}
