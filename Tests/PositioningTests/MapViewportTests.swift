import Positioning
import Testing

@Suite struct MapViewportTests {
    private func viewport(_ orientation: Double = 0, _ longitude: Double = 8.4) throws -> MapViewport {
        let center = try #require(MercatorProjection.web.point(Coordinate(latitude: 49, longitude: longitude)))
        return MapViewport(center: center, metresPerPixel: 10, orientation: orientation, width: 800, height: 600)
    }
    private func isNear(_ a: MapPixel, _ x: Double, _ y: Double) -> Bool { abs(a.x - x) < 1e-6 && abs(a.y - y) < 1e-6 }

    @Test(arguments: [(0.0, 400.0, 200.0), (90, 500, 300), (180, 400, 400), (270, 300, 300), (-90, 300, 300)])
    func northIsWhereTheMapIsTurnedTo(_ orientation: Double, _ x: Double, _ y: Double) throws {
        let map = try viewport(orientation)
        #expect(isNear(map.pixel(map.center), 400, 300))
        let north = MercatorPoint(x: map.center.x, y: map.center.y + 1000)
        #expect(isNear(map.pixel(north), x, y))
    }

    @Test func eastIsRightOfNorth() throws {
        for orientation in stride(from: 0.0, to: 360, by: 30) {
            let map = try viewport(orientation)
            let north = map.pixel(MercatorPoint(x: map.center.x, y: map.center.y + 1000))
            let east = map.pixel(MercatorPoint(x: map.center.x + 1000, y: map.center.y))
            let (nx, ny, ex, ey) = (north.x - 400, north.y - 300, east.x - 400, east.y - 300)
            #expect(abs(nx * ex + ny * ey) < 1e-6)
            #expect(nx * ey - ny * ex > 0, "clockwise, with y downwards")
        }
    }

    @Test func placesGoToPixelsAndBack() throws {
        for orientation in [0.0, 37, 271.5] {
            let map = try viewport(orientation)
            for (latitude, longitude) in [(49.01, 8.41), (48.7, 7.9), (-10, 60), (80, -100)] {
                let place = Coordinate(latitude: latitude, longitude: longitude)
                let pixel = try #require(map.pixel(place))
                let back = try #require(map.coordinate(pixel))
                #expect(abs(back.latitude - latitude) < 1e-9)
                #expect(abs(back.longitude - longitude) < 1e-9)
            }
        }
    }

    @Test func acrossTheAntimeridianIsNear() throws {
        let map = try viewport(0, 179.99)
        let beyond = try #require(map.pixel(Coordinate(latitude: 49, longitude: -179.99)))
        #expect(beyond.x > 400 && beyond.x < 650)
        let back = try #require(map.coordinate(beyond))
        #expect(abs(back.longitude + 179.99) < 1e-9)
        #expect(map.pixel(Coordinate(latitude: 90, longitude: 0)) == nil)
    }
}

@Suite struct MapMarkerTests {
    private func location(_ course: Double?) -> Location {
        var location = Location(coordinate: Coordinate(latitude: 49, longitude: 8.4))
        location.course = course
        return location
    }

    @Test func aDirectedMarkerNeedsACourse() throws {
        let directed = try #require(MapMarker(location(90), style: .directed, northAdjusted: true))
        #expect((directed.style, directed.rotation, directed.mapOrientation) == (.directed, 90, 0))
        let round = try #require(MapMarker(location(nil), style: .directed, northAdjusted: true))
        #expect((round.style, round.rotation, round.mapOrientation) == (.round, 0, 0))
        let wanted = try #require(MapMarker(location(90), style: .round, northAdjusted: true))
        #expect((wanted.style, wanted.rotation) == (.round, 0))
        let north = try #require(MapMarker(location(0), style: .directed, northAdjusted: true))
        #expect(north.style == .directed, "course 0 is a course")
        #expect(
            MapMarker(Location(coordinate: Coordinate(latitude: 91, longitude: 0)), style: .round, northAdjusted: true)
                == nil)
    }

    @Test func withoutNorthAdjustTheCoursePointsUp() throws {
        let marker = try #require(MapMarker(location(90), style: .directed, northAdjusted: false))
        #expect((marker.style, marker.rotation, marker.mapOrientation) == (.directed, 0, 270))
        var map = MapViewport(center: marker.position, metresPerPixel: 1, width: 100, height: 100)
        map.orientation = marker.mapOrientation
        let ahead = map.pixel(MercatorPoint(x: marker.position.x + 10, y: marker.position.y))
        #expect(abs(ahead.x - 50) < 1e-9 && abs(ahead.y - 40) < 1e-9)
        // Standing without a course, the map stays as it was turned.
        let standing = try #require(
            MapMarker(location(nil), style: .directed, northAdjusted: false, orientation: 270))
        #expect((standing.style, standing.mapOrientation) == (.round, 270))
    }

    @Test func theSpheresAreNotMixedUp() throws {
        let marker = try #require(
            MapMarker(location(nil), style: .round, northAdjusted: true, projection: .navigation))
        #expect(abs(marker.position.y - 6_267_839.957219) < 1e-5)
    }

    @Test(arguments: [(0.0, 90.0), (90, 0), (180, 270), (270, 180), (45, 45), (-30, 120), (450, 0)])
    func navigationCoursesBeginInTheEast(_ navigation: Double, _ compass: Double) {
        #expect(NavigationAngle.compassCourse(navigation: navigation) == compass)
        #expect(
            NavigationAngle.compassCourse(navigation: NavigationAngle.navigationCourse(compass: compass)) == compass)
    }

    @Test func theImageIsTurnedByS3sFormula() {
        // Driving north (S3: 90) on a map with north up, an image that points upwards is not turned.
        #expect(NavigationAngle.imageRotation(orientation: 0, navigationCourse: 90) == 0)
        #expect(NavigationAngle.imageRotation(orientation: 0, navigationCourse: 0) == 90)
        #expect(NavigationAngle.imageRotation(orientation: 270, navigationCourse: 0) == 0)
        // It is the compass course, turned with the map.
        #expect(NavigationAngle.imageRotation(orientation: 30, navigationCourse: 200) == 280)
    }
}
