import Positioning
import Testing

@testable import LocationProviders

@Suite struct NMEAEpochAssemblerTests {
    func rmc(_ time: String, _ date: String = "301126", mode: String = "A", status: String = "A") -> String {
        nmea("GPRMC,\(time),\(status),5430.0000,N,00330.0000,E,10.0,90.0,\(date),,,\(mode)")
    }
    func gga(_ time: String, quality: String = "1", hdop: String = "1.2") -> String {
        nmea("GPGGA,\(time),5430.0000,N,00330.0000,E,\(quality),08,\(hdop),10.0,M,45.0,M,,")
    }

    @Test func anEpochBecomesOneLocation() {
        let text =
            rmc("120000.00") + gga("120000.00") + nmea("GPGSA,A,3,01,,,,,,,,,,,,2.0,1.2,1.6")
            + nmea("GPGST,120000.00,,,,,3.0,4.0,6.5") + nmea("GPVTG,91.0,T,,M,11.0,N,,K") + rmc("120001.00")
        let found = epochs(text)
        var expected = Location(
            coordinate: Coordinate(latitude: 54.5, longitude: 3.5), horizontalAccuracy: 5, timestamp: noon)
        expected.altitude = 10
        expected.geoidSeparation = 45
        expected.verticalAccuracy = 6.5
        expected.course = 90
        expected.speed = 18520.0 / 3600
        expected.fix = .threeD
        expected.source = "nmea"
        expected.satellitesUsed = 8
        expected.hdop = 1.2
        #expect(found.first == .fix(expected))
        #expect(found.count == 2)
    }

    @Test func accuracyIsFromGstElseHdopElseUnknown() {
        let gst = nmea("GPGST,120000.00,,,,,0.3,0.4,0.6")
        let zero = nmea("GPGST,120000.00,,,,,0,0,0")
        #expect(epochs(gga("120000.00") + gst).first?.location?.horizontalAccuracy == 0.5)
        #expect(epochs(gga("120000.00") + zero, uere: 4).first?.location?.horizontalAccuracy == 4.8)
        #expect(epochs(gga("120000.00", hdop: "0.0")).first?.location?.horizontalAccuracy == nil)
        let alone = epochs(rmc("120000.00")).first?.location
        #expect(alone?.horizontalAccuracy == nil)
        #expect(alone?.hdop == nil)
    }

    @Test func whatIsNotSaidIsUnknownAndZeroIsZero() {
        let silent = epochs(nmea("GPRMC,120000.00,A,5430.0000,N,00330.0000,E,,,301126,,,A")).first?.location
        #expect(silent?.course == nil)
        #expect(silent?.speed == nil)
        let north = epochs(nmea("GPRMC,120000.00,A,5430.0000,N,00330.0000,E,0.0,360.0,301126,,,A")).first?.location
        #expect(north?.course == 0)
        #expect(north?.speed == 0)
        let vtg = epochs(
            nmea("GPRMC,120000.00,A,5430.0000,N,00330.0000,E,,,301126,,,A") + nmea("GPVTG,45.0,T,,M,,N,36.0,K"))
        #expect(vtg.first?.location?.course == 45)
        #expect(vtg.first?.location?.speed == 10)
    }

    @Test(arguments: [
        ("2", "A", FixType.differential), ("4", "R", .rtkFixed), ("5", "F", .rtkFloat), ("6", "E", .deadReckoning),
        ("7", "M", .manual), ("1", "D", .differential), ("1", "A", .threeD), ("3", "P", .threeD),
    ])
    func fixTypes(quality: String, mode: String, fix: FixType) {
        let location = epochs(rmc("120000.00", mode: mode) + gga("120000.00", quality: quality)).first?.location
        #expect(location?.fix == fix)
        #expect(location?.isSimulated == false)
    }

    @Test func dimensionAndSimulatorModeAreTold() {
        let gsa = nmea("GPGSA,A,1,,,,,,,,,,,,,2,1,2") + nmea("GLGSA,A,2,,,,,,,,,,,,,2,1,2")
        #expect(epochs(gga("120000.00") + gsa).first?.location?.fix == .twoD)
        #expect(epochs(gga("120000.00", quality: "8")).first?.location?.isSimulated == true)
        #expect(epochs(rmc("120000.00", mode: "S")).first?.location?.isSimulated == true)
        let estimated = "$GPRMC,120010.00,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,E*55\r\n"
        #expect(epochs(estimated).first?.location?.fix == .deadReckoning)
    }

    /// Receivers repeat their last coordinates when they lose the fix: any sentence that says so decides.
    @Test("G01: no fix is told, whatever the coordinates say") func g01NoFix() {
        let good = (0..<5).map { rmc("12000\($0).00") + gga("12000\($0).00") }.joined()
        let lost =
            "$GPGGA,120006.00,5430.0000,N,00330.0000,E,0,00,99.9,,M,,M,,*63\r\n$GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9*09\r\n"
            + "$GPRMC,120006.00,V,5430.0000,N,00330.0000,E,,,301126,,,N*46\r\n"
        let onlyVoid = "$GPRMC,120006.00,V,5430.0000,N,00330.0000,E,,,301126,,,N*46\r\n"
        let gsaOnly = gga("120006.00") + "$GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9*09\r\n"
        for end in [lost, onlyVoid, gsaOnly] {
            let found = epochs(good + end)
            #expect(found.prefix(5).allSatisfy { $0.location != nil })
            #expect(found.dropFirst(5) == [.noFix(noon + 6.0)])
        }
        // Without knowledge of the time each void sentence stands for itself, or the loss would never be told.
        let timeless = nmea("GPRMC,,V,,,,,,,,,,N")
        #expect(epochs(good + timeless + timeless).suffix(2) == [.noFix(nil), .noFix(nil)])
    }

    @Test("G10: the date of a time-only stream is the nearest") func g10NearestDate() {
        let evening = UTCInstant(milliseconds: 1_796_083_200_700)  // 2026-12-01T00:00:00.7Z
        let late = epochs(
            "$GPGGA,235959.00,5430.0000,N,00330.0000,E,1,08,1.0,10.0,M,45.0,M,,*56\r\n", reference: evening)
        #expect(late.first?.location?.timestamp == UTCInstant(milliseconds: 1_796_083_199_000))
        let early = epochs(gga("000000.00"), reference: UTCInstant(milliseconds: 1_796_083_199_800))
        #expect(early.first?.location?.timestamp == UTCInstant(milliseconds: 1_796_083_200_000))
        #expect(epochs(gga("120000.00")).first?.location?.timestamp == nil)
    }

    @Test("G10: the day is counted once across midnight") func g10Midnight() {
        let text =
            rmc("235958.00") + gga("235959.00") + gga("000000.00") + gga("000001.00") + rmc("000002.00", "011226")
        #expect(
            epochs(text).map { $0.location?.timestamp?.milliseconds } == [
                1_796_083_198_000, 1_796_083_199_000, 1_796_083_200_000, 1_796_083_201_000, 1_796_083_202_000,
            ])
    }

    @Test("G10: a leap second neither traps nor goes back") func g10LeapSecond() {
        let text =
            rmc("235959.00", "311226") + "$GPRMC,235960.00,A,5430.0000,N,00330.0000,E,10.0,90.0,311226,,,A*5A\r\n"
            + rmc("000000.00", "010127")
        let times = epochs(text).compactMap { $0.location?.timestamp?.milliseconds }
        #expect(times == [1_798_761_599_000, 1_798_761_599_999, 1_798_761_600_000])
    }

    @Test func sentencesBeforeTheFirstTimeBelongToIt() {
        let text = nmea("GPGSA,A,3,,,,,,,,,,,,,2,1.5,2") + nmea("GPVTG,5,T,,M,36,N,,K") + rmc("120000.00")
        let location = epochs(text).first?.location
        #expect(location?.fix == .threeD)
        #expect(location?.horizontalAccuracy == 7.5)
    }
}
