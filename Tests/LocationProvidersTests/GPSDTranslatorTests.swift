import Positioning
import Testing

@testable import LocationProviders

@Suite struct GPSDTranslatorTests {
    func tpv(_ change: (inout GPSDMessage.TPV) -> Void = { _ in }) -> GPSDMessage.TPV {
        var tpv = GPSDMessage.TPV()
        (tpv.mode, tpv.time, tpv.latitude, tpv.longitude) = (3, noon, 54.5, 3.5)
        change(&tpv)
        return tpv
    }
    func location(_ change: (inout GPSDMessage.TPV) -> Void = { _ in }) -> Location? {
        var translator = GPSDTranslator()
        guard case .fix(let location) = translator.read(tpv(change)) else { return nil }
        return location
    }

    @Test("G04: everything but mode and position is optional") func g04Optional() {
        var expected = Location(coordinate: Coordinate(latitude: 54.5, longitude: 3.5), timestamp: noon)
        expected.fix = .threeD
        expected.source = "gpsd"
        #expect(location() == expected)
        expected.timestamp = nil
        #expect(location { $0.time = nil } == expected)
    }

    @Test("G04, G07: accuracy is from eph, else from epx and epy, else unknown, never 0") func g04Accuracy() {
        #expect(location { ($0.horizontalError, $0.eastError, $0.northError) = (20, 3, 4) }?.horizontalAccuracy == 12.4)
        #expect(location { ($0.eastError, $0.northError) = (3, 4) }?.horizontalAccuracy == 5 * 0.62)
        #expect(location { ($0.horizontalError, $0.eastError, $0.northError) = (0, 3, 4) }?.horizontalAccuracy == 3.1)
        for absent: (Double?, Double?, Double?) in [
            (nil, nil, nil), (0, nil, nil), (-1, nil, nil), (nil, 3, nil), (nil, nil, 4), (nil, 0, 0), (nil, -3, 4),
        ] {
            let made = location { ($0.horizontalError, $0.eastError, $0.northError) = absent }
            #expect(made != nil && made?.horizontalAccuracy == nil)
        }
        var strict = GPSDTranslator(accuracy: GPSDAccuracy(horizontalFactor: 1))
        guard case .fix(let unscaled) = strict.read(tpv({ $0.horizontalError = 7 })) else {
            Issue.record("no fix")
            return
        }
        #expect(unscaled.horizontalAccuracy == 7)
    }

    @Test("G04: the altitude has its reference") func g04Altitude() {
        let both = location {
            ($0.altitudeSeaLevel, $0.altitudeEllipsoid, $0.altitude, $0.verticalError) = (10, 55, 11, 23)
        }
        #expect(both?.altitude == 10)
        #expect(both?.altitudeReference == .meanSeaLevel)
        #expect(both?.verticalAccuracy == 23 * 0.51)
        let ellipsoid = location { ($0.altitudeEllipsoid, $0.altitude) = (55, 11) }
        #expect(ellipsoid?.altitude == 55)
        #expect(ellipsoid?.altitudeReference == .wgs84Ellipsoid)
        #expect(location { $0.altitude = 11 }?.altitude == 11)
        #expect(location { ($0.mode, $0.altitudeSeaLevel, $0.verticalError) = (2, 10, 5) }?.altitude == nil)
        #expect(location { $0.verticalError = 5 }?.verticalAccuracy == nil)
    }

    @Test func zeroIsKeptAndSentinelsAreUnknown() {
        let standing = location { ($0.speed, $0.track, $0.speedError, $0.trackError) = (0, 360, 0.4, 10) }
        #expect(standing?.speed == 0)
        #expect(standing?.course == 0)
        #expect(standing?.speedAccuracy == 0.4 * 0.51)
        #expect(standing?.courseAccuracy == 5.1)
        let sentinel = location { ($0.speed, $0.track, $0.speedError, $0.trackError) = (-1, -1, 0.4, 10) }
        #expect(sentinel?.speed == nil)
        #expect(sentinel?.course == nil)
        #expect(sentinel?.speedAccuracy == nil)
        #expect(sentinel?.courseAccuracy == nil)
    }

    @Test(arguments: [
        (nil, 3, FixType.threeD), (0, 2, .twoD), (1, 3, .threeD), (2, 3, .differential), (3, 3, .rtkFixed),
        (4, 3, .rtkFloat), (5, 3, .deadReckoning), (6, 3, .threeD), (7, 3, .manual), (8, 2, .twoD), (9, 3, .threeD),
        (99, 3, .threeD),
    ])
    func statusAndMode(status: Int64?, mode: Int64, fix: FixType) {
        let made = location { ($0.status, $0.mode) = (status, mode) }
        #expect(made?.fix == fix)
        #expect(made?.isSimulated == (status == 8))
    }

    @Test func aCoordinateThatIsNoPlaceIsPassedOnToBeMarked() {
        let impossible = location { ($0.latitude, $0.horizontalError) = (91, 5) }
        #expect(impossible?.intrinsicUnreliability == .coordinate)
    }

    @Test func noFixAndNothing() {
        var translator = GPSDTranslator()
        #expect(translator.read(tpv { $0.mode = 1 }) == .noFix(noon))
        #expect(translator.read(tpv { ($0.mode, $0.time) = (0, nil) }) == .noFix(nil))
        #expect(translator.read(tpv { $0.mode = nil }) == .nothing)
        #expect(translator.read(tpv { $0.mode = 4 }) == .nothing)
        #expect(translator.read(tpv { $0.latitude = nil }) == .nothing)
        #expect(translator.read(tpv { $0.longitude = nil }) == .nothing)
    }

    @Test func severalReportsOfOneEpochAreOneLocation() {
        var translator = GPSDTranslator()
        func isFix(_ tpv: GPSDMessage.TPV) -> Bool { if case .fix = translator.read(tpv) { true } else { false } }
        let other = Array("other".utf8)
        #expect(isFix(tpv()))
        #expect(translator.read(tpv { $0.speed = 3 }) == .repeated)
        #expect(isFix(tpv { $0.device = GPSDDevice(other.span) }))
        #expect(isFix(tpv { $0.time = noon + 1.0 }))
        #expect(isFix(tpv { $0.time = nil }))
        #expect(isFix(tpv { $0.time = nil }))
        // Lost and found again within one second: it is told again.
        #expect(translator.read(tpv { ($0.mode, $0.time) = (1, noon + 1.0) }) == .noFix(noon + 1.0))
        #expect(isFix(tpv { $0.time = noon + 1.0 }))
    }

    @Test func theSkyViewOfTheDeviceGoesWithItsReportsForAWhile() {
        var translator = GPSDTranslator()
        translator.note(GPSDMessage.SKY(device: nil, hdop: 1.5, satellitesUsed: 7))
        translator.note(GPSDMessage.SKY(device: nil, hdop: nil, satellitesUsed: nil))
        func made(_ seconds: Double) -> Location? {
            if case .fix(let location) = translator.read(tpv { $0.time = noon + seconds }) { location } else { nil }
        }
        #expect(made(1)?.hdop == 1.5)
        #expect(made(2)?.satellitesUsed == 7)
        for second in 3...GPSDTranslator.skyLifetime { #expect(made(Double(second))?.hdop == 1.5) }
        #expect(made(100)?.hdop == nil)
    }
}
