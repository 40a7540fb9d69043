import Positioning
import Testing

@Suite struct PlatformFixTests {
    private static let time = UTCInstant(milliseconds: 1_796_010_000_123)

    private var whole: PlatformFix {
        PlatformFix(
            coordinate: Coordinate(latitude: 54.5, longitude: 3.5), altitude: 34.5, ellipsoidalAltitude: 75,
            horizontalAccuracy: 5, verticalAccuracy: 3, course: 271.3, courseAccuracy: 2, speed: 13.9,
            speedAccuracy: 0.3, timestamp: Self.time, isSimulatedBySoftware: true)
    }

    private func changed(_ change: (inout PlatformFix) -> Void) -> PlatformFix {
        var fix = whole
        change(&fix)
        return fix
    }

    @Test("rule 11: a whole fix is converted whole") func rule11Whole() {
        var expected = Location(coordinate: whole.coordinate, horizontalAccuracy: 5, timestamp: Self.time)
        expected.altitude = 34.5
        expected.verticalAccuracy = 3
        expected.course = 271.3
        expected.courseAccuracy = 2
        expected.speed = 13.9
        expected.speedAccuracy = 0.3
        expected.isSimulated = true
        #expect(Location(strictly: whole) == expected)
        #expect(Location(strictly: whole).altitudeReference == .meanSeaLevel)
    }

    @Test("rule 11: sentinels are nil, alone", arguments: [-1, -0.001, -.infinity, .nan, .infinity] as [Double])
    func rule11Sentinels(sentinel: Double) {
        let noPlace = Location(strictly: changed { $0.horizontalAccuracy = sentinel })
        #expect(noPlace.horizontalAccuracy == nil && noPlace.speed == 13.9)
        let noCourse = Location(strictly: changed { $0.course = sentinel })
        #expect(noCourse.course == nil && noCourse.speed == 13.9)
        let noSpeed = Location(strictly: changed { $0.speed = sentinel })
        #expect(noSpeed.speed == nil && noSpeed.course == 271.3)
        let noHeight = Location(strictly: changed { $0.verticalAccuracy = sentinel })
        #expect(noHeight.verticalAccuracy == nil && noHeight.altitude == nil && noHeight.course == 271.3)
        let vagueCourse = Location(strictly: changed { $0.courseAccuracy = sentinel })
        #expect(vagueCourse.course == nil && vagueCourse.courseAccuracy == nil && vagueCourse.speed == 13.9)
        let vagueSpeed = Location(strictly: changed { $0.speedAccuracy = sentinel })
        #expect(vagueSpeed.speed == nil && vagueSpeed.speedAccuracy == nil && vagueSpeed.course == 271.3)
    }

    @Test("rule 11: a vertical accuracy of zero voids the altitude") func rule11ZeroVerticalAccuracy() {
        let location = Location(strictly: changed { $0.verticalAccuracy = 0 })
        #expect(location.altitude == nil && location.verticalAccuracy == nil)
    }

    @Test("rule 11: true zeros survive") func rule11Zeros() {
        let location = Location(
            strictly: changed {
                ($0.course, $0.speed, $0.courseAccuracy, $0.speedAccuracy, $0.altitude) = (0, 0, 0, 0, 0)
                $0.horizontalAccuracy = 0
            })
        #expect(location.course == 0 && location.speed == 0 && location.altitude == 0)
        #expect(location.courseAccuracy == 0 && location.speedAccuracy == 0)
        // Kept as it is: that it is no accuracy is for rule 1 to say.
        #expect(location.horizontalAccuracy == 0 && location.intrinsicUnreliability == .accuracy)
    }

    @Test("rule 11: 360 degrees are 0") func rule11FullCircle() {
        #expect(Location(strictly: changed { $0.course = 360 }).course == 0)
        #expect(Location(strictly: changed { $0.course = 359.9 }).course == 359.9)
    }

    @Test("rule 11: the coordinate is kept, place or not") func rule11Coordinate() {
        let fix = changed { $0.coordinate = Coordinate(latitude: 91, longitude: -181) }
        #expect(Location(strictly: fix).coordinate == fix.coordinate)
        #expect(Location(exactly: fix).coordinate == fix.coordinate)
    }

    /// convertLocation of S2, line by line.
    @Test("rule 11: the exact conversion does what S2 does and no more") func rule11Exact() {
        let exact = Location(exactly: changed { $0.course = 360 })
        #expect(exact.course == 360 && exact.speed == 13.9 && exact.horizontalAccuracy == 5)
        #expect(exact.altitude == 34.5 && exact.verticalAccuracy == 3 && exact.timestamp == Self.time)
        #expect(exact.courseAccuracy == nil && exact.speedAccuracy == nil && !exact.isSimulated)
        let sentinels = Location(
            exactly: changed {
                ($0.course, $0.speed, $0.horizontalAccuracy, $0.verticalAccuracy) = (-1, -1, -1, -1)
                ($0.courseAccuracy, $0.speedAccuracy) = (-1, -1)
            })
        #expect(sentinels.course == nil && sentinels.speed == nil)
        #expect(sentinels.horizontalAccuracy == nil && sentinels.verticalAccuracy == nil)
        #expect(sentinels.altitude == 34.5)
        let zeros = Location(
            exactly: changed { ($0.course, $0.speed, $0.horizontalAccuracy, $0.verticalAccuracy) = (0, 0, 0, 0) })
        #expect(zeros.course == 0 && zeros.speed == 0 && zeros.horizontalAccuracy == 0 && zeros.verticalAccuracy == 0)
        let vague = Location(exactly: changed { ($0.courseAccuracy, $0.speedAccuracy) = (-1, -1) })
        #expect(vague.course == 271.3 && vague.speed == 13.9)
        #expect(Location(exactly: changed { $0.course = .nan }).course?.isNaN == true)
    }
}
