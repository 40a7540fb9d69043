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
        #expect(both?.geoidSeparation == 45)
        #expect(both?.altitude(above: .wgs84Ellipsoid) == 55)
        let told = location { ($0.altitudeSeaLevel, $0.altitudeEllipsoid, $0.geoidSeparation) = (10, 55, 44.5) }
        #expect(told?.geoidSeparation == 44.5)
        #expect(ellipsoid?.geoidSeparation == nil)
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

    private func device(_ path: String) -> GPSDDevice { GPSDDevice(path: path) }

    @Test func reportsOfOneEpochMerge() {
        var translator = GPSDTranslator()
        // A receiver without pauses: first the position, then the course, then the altitude, of one time.
        guard case .fix(let first) = translator.read(tpv { ($0.mode, $0.speed, $0.horizontalError) = (2, 3.5, 10) })
        else {
            Issue.record("no fix")
            return
        }
        #expect(first.speed == 3.5)
        #expect(first.course == nil)
        var expected = first
        (expected.speed, expected.course) = (4, 90)
        // Where it moves within one time, the place is already the next epoch's.
        let moved = tpv { ($0.mode, $0.speed, $0.track, $0.latitude) = (2, 4, 90, 54.51) }
        #expect(translator.read(moved) == .refined(expected))
        (expected.fix, expected.altitude, expected.altitudeReference) = (.threeD, 12, .meanSeaLevel)
        #expect(translator.read(tpv { $0.altitudeSeaLevel = 12 }) == .refined(expected))
        #expect(translator.read(tpv { $0.altitudeSeaLevel = 12 }) == .repeated)
        // The next epoch owes nothing to this one.
        guard case .fix(let next) = translator.read(tpv { $0.time = noon + 1.0 }) else {
            Issue.record("no fix")
            return
        }
        #expect((next.speed, next.course, next.altitude) == (nil, nil, nil))
    }

    @Test func aPositionMayComeAfterTheRestOfItsEpoch() {
        var translator = GPSDTranslator()
        #expect(translator.read(tpv { ($0.latitude, $0.longitude, $0.speed) = (nil, nil, 7) }) == .nothing)
        guard case .fix(let made) = translator.read(tpv()) else {
            Issue.record("no fix")
            return
        }
        #expect(made.speed == 7)
    }

    @Test func devicesDoNotMixAndTimesMayGoBack() {
        var translator = GPSDTranslator()
        func isFix(_ tpv: GPSDMessage.TPV) -> Bool { if case .fix = translator.read(tpv) { true } else { false } }
        #expect(isFix(tpv { $0.device = device("a") }))
        #expect(isFix(tpv { $0.device = device("b") }))
        #expect(translator.read(tpv { $0.device = device("a") }) == .repeated)
        #expect(isFix(tpv { $0.time = noon + 1.0 }))
        #expect(isFix(tpv { $0.time = noon + -100.0 }))
        #expect(isFix(tpv { $0.time = nil }))
        #expect(isFix(tpv { $0.time = nil }))
        // Lost and found again within one second: it is told again.
        #expect(translator.read(tpv { ($0.mode, $0.time) = (1, noon) }) == .noFix(noon))
        #expect(isFix(tpv { $0.time = noon }))
        translator.forget(device("b"))
        #expect(isFix(tpv { $0.device = device("b") }))
    }

    @Test func theSkyViewOfTheDeviceGoesWithItsReportsForAWhile() {
        var translator = GPSDTranslator()
        func made(_ seconds: Double?, of name: String? = nil) -> Location? {
            let report = tpv {
                $0.time = seconds.map { noon + $0 }
                $0.device = name.map { device($0) }
            }
            if case .fix(let location) = translator.read(report) { return location } else { return nil }
        }
        translator.note(GPSDMessage.SKY(device: nil, hdop: 1.5, satellitesUsed: 7))
        translator.note(GPSDMessage.SKY(device: nil, hdop: nil, satellitesUsed: nil))
        #expect(made(1)?.hdop == 1.5)
        #expect(made(2)?.satellitesUsed == 7)
        #expect(made(3, of: "b")?.hdop == nil, "another device has another sky")
        // At 20 Hz there are many reports a view.
        for step in 1...200 { #expect(made(2 + Double(step) * 0.045)?.hdop == 1.5) }
        #expect(made(11.01)?.hdop == nil)
        #expect(made(2.01)?.hdop == nil, "what is dropped does not come back")
        // Satellites without DOPs take no DOP back.
        translator.note(GPSDMessage.SKY(device: device("b"), hdop: 2, satellitesUsed: 5))
        translator.note(GPSDMessage.SKY(device: device("b"), hdop: nil, satellitesUsed: 6))
        #expect(made(4, of: "b")?.hdop == 2)
        #expect(made(5, of: "b")?.satellitesUsed == 6)
        #expect(made(nil, of: "c")?.hdop == nil)
        // Without time, reports are counted.
        translator.note(GPSDMessage.SKY(device: device("c"), hdop: 3, satellitesUsed: nil))
        for _ in 1...GPSDTranslator.skyReports { #expect(made(nil, of: "c")?.hdop == 3) }
        #expect(made(nil, of: "c")?.hdop == nil)
    }

    @Test("G01: a mode that promises a fix is not believed while the sky says that no satellite is used") func g01Sky()
    {
        var translator = GPSDTranslator()
        func isFix(_ second: Double, _ change: (inout GPSDMessage.TPV) -> Void = { _ in }) -> Bool {
            let report = tpv {
                $0.time = noon + second
                change(&$0)
            }
            if case .fix = translator.read(report) { return true } else { return false }
        }
        #expect(isFix(0))
        translator.note(GPSDMessage.SKY(device: nil, hdop: 99.9, satellitesUsed: 0))
        #expect(translator.read(tpv { $0.time = noon + 1.0 }) == .noFix(noon + 1.0))
        #expect(isFix(2) { $0.status = 5 }, "dead reckoning needs no satellites")
        #expect(!isFix(3) { $0.status = 2 })
        translator.note(GPSDMessage.SKY(device: GPSDDevice(path: "b"), hdop: 1.1, satellitesUsed: 9))
        #expect(!isFix(4))
        translator.note(GPSDMessage.SKY(device: nil, hdop: 2.5, satellitesUsed: 0))
        #expect(isFix(5), "a receiver that never says which it uses")
        translator.note(GPSDMessage.SKY(device: nil, hdop: 99.9, satellitesUsed: 0))
        #expect(!isFix(6))
        #expect(isFix(17), "without further views the denial ends")
    }

    @Test func theSkyHasNoImpossibleNumbers() {
        var translator = GPSDTranslator()
        translator.note(GPSDMessage.SKY(device: nil, hdop: 0, satellitesUsed: -3))
        guard case .fix(let made) = translator.read(tpv()) else {
            Issue.record("no fix")
            return
        }
        #expect(made.hdop == nil)
        #expect(made.satellitesUsed == nil)
    }

    @Test func thePolledPositionIsTheWantedDevicesElseTheNewest() {
        func best(_ tpvs: [GPSDMessage.TPV], of name: String? = nil) -> UTCInstant? {
            GPSDTranslator.best(tpvs, [], of: name.map { device($0) }, accuracy: GPSDAccuracy())?.timestamp
        }
        let old = tpv { $0.device = device("a") }
        let new = tpv { ($0.device, $0.time) = (device("b"), noon + 5.0) }
        let none = tpv { ($0.device, $0.mode) = (device("c"), 1) }
        #expect(best([old, new, none]) == noon + 5.0)
        #expect(best([new, old]) == noon + 5.0)
        #expect(best([new, old], of: "a") == noon)
        #expect(best([none, old], of: "c") == noon)
        #expect(best([tpv { $0.time = nil }, old]) == noon)
        #expect(best([none]) == nil)
        #expect(best([]) == nil)
        let sky = GPSDMessage.SKY(device: device("a"), hdop: 1.1, satellitesUsed: 8)
        #expect(GPSDTranslator.best([old], [sky], of: nil, accuracy: GPSDAccuracy())?.satellitesUsed == 8)
    }
}
