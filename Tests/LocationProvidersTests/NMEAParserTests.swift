import Positioning
import Testing

@testable import LocationProviders

@Suite struct NMEAParserTests {
    @Test func rmcIsReadWhole() {
        let (found, rejections) = sentences(nmea("GPRMC,120004.25,A,5430.0000,N,00330.0000,W,10.0,90.5,301126,,,D"))
        #expect(
            found == [
                .rmc(
                    NMEASentence.RMC(
                        time: 43_204_250, isValid: true, coordinate: Coordinate(latitude: 54.5, longitude: -3.5),
                        speed: 18520.0 / 3600, course: 90.5, day: 20_787, mode: .differential))
            ])
        #expect(rejections == NMEARejections())
    }

    @Test func ggaIsReadWhole() {
        let (found, _) = sentences(nmea("GNGGA,120004,5430.5,S,00330.25,E,2,08,1.1,-12.5,M,45.0,M,3.0,0120"))
        #expect(
            found == [
                .gga(
                    NMEASentence.GGA(
                        time: 43_204_000, quality: 2,
                        coordinate: Coordinate(latitude: -(54 + 30.5 / 60), longitude: 3 + 30.25 / 60), satellites: 8,
                        hdop: 1.1, altitude: -12.5, geoidSeparation: 45))
            ])
    }

    @Test func gsaGstAndVtgAreRead() {
        let text =
            nmea("GNGSA,A,3,01,02,03,,,,,,,,,,2.0,1.2,1.6,1") + nmea("GPGST,120004.00,,,,,3.0,4.0,6.5")
            + nmea("GPVTG,89.5,T,,M,19.4384,N,36.0,K,A") + nmea("GPVTG,,T,,M,,N,36.0,K")
            + nmea("GPVTG,0.0,T,,M,0.0,N,0.0,K,N")
        #expect(
            sentences(text).sentences == [
                .gsa(NMEASentence.GSA(dimension: 3, satellites: 3, hdop: 1.2, system: 1)),
                .gst(NMEASentence.GST(time: 43_204_000, latitude: 3, longitude: 4, altitude: 6.5)),
                .vtg(NMEASentence.VTG(course: 89.5, speed: 19.4384 * 1852 / 3600, mode: .autonomous)),
                .vtg(NMEASentence.VTG(course: nil, speed: 10)), .vtg(NMEASentence.VTG(mode: .invalid)),
            ])
    }

    @Test func sentencesAreFoundInNoiseGluedWrappedAndWithAnyLineEnd() {
        let one = nmea("GPGSA,A,2,,,,,,,,,,,,,2,1,2", end: "")
        let bytes =
            Array("2026-11-30 rx: \(one) <- ok\r\(one)\(one)\n".utf8) + [0xB5, 0x62, 0x24, 0x00] + Array(one.utf8)
        let (found, rejections) = sentences(bytes + Array("\r\n$GPGSA,A,3,01\(one)\r\n".utf8))
        #expect(found.count == 5)
        #expect(rejections.noChecksum == 2)
    }

    @Test func theChecksumIsRequiredAndMayBeLowerCase() {
        let lower = nmea("GPRMC,120000.00,V,,,,,,,301126,,,N").lowercased().split(separator: "*")
        let upper = nmea("GPRMC,120000.00,V,,,,,,,301126,,,N").split(separator: "*")
        #expect(sentences("\(upper[0])*\(lower[1])").sentences.count == 1)
        #expect(sentences("\(upper[0])\r\n").rejections.noChecksum == 1)
        #expect(sentences("\(upper[0])*\r\n").rejections.noChecksum == 1)
        #expect(sentences("\(upper[0])*7\r\n").rejections.noChecksum == 1)
        #expect(sentences("\(upper[0])*00\r\n").rejections.badChecksum == 1)
    }

    /// A right checksum over a damaged field: the sentence is void as a whole.
    @Test(arguments: [
        "GPRMC,120004.00,A,-5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,5430.0000,N,-00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,5460.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,9100.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,5430.0000,N,18100.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,5430.0000,X,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,5430.0000,,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,430.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,5430.0000,N,0330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,54x0.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,5430.0000,N,00330.0000,E,XX.X,90.0,301126,,,A",
        "GPRMC,120004.00,A,5430.0000,N,00330.0000,E,-1.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,5430.0000,N,00330.0000,E,10.0,361.0,301126,,,A",
        "GPRMC,120004.00,A,5430.0000,N,00330.0000,E,10.0,90.0,2208-1,,,A",
        "GPRMC,120004.00,A,5430.0000,N,00330.0000,E,10.0,90.0,310226,,,A",
        "GPRMC,120004.00,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,?",
        "GPRMC,|12000|4.00,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,240000.00,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,126000.00,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120061.00,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,1200,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPRMC,120004.00,A,,,,,10.0,90.0,301126,,,A",
        "GPRMC,,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A",
        "GPGGA,120009.00,5430.0000,N,00330.0000,E,12,08,1.0,10.0,M,45.0,M,,",
        "GPGGA,120009.00,5430.0000,N,A,E,1,08,1.0,10.0,M,45.0,M,,",
        "GPGGA,120009.00,5430.0000,N,00330.0000,E,1,08,1.0,10.0,F,45.0,M,,",
        "GPGGA,120009.00,,,,,1,08,1.0,10.0,M,45.0,M,,",
        "GPGSA,F,3,22,19,,,,,,,,,,,3.1,2.0,2.4",
        "GPGSA,A,4,22,19,,,,,,,,,,,3.1,2.0,2.4",
        "GPVTG,T,45.5,67.5,M,30.45,N,56.40,K",
        "GPGST,120004.00,,,,,3.x,4.0,6.5",
    ])
    func aDamagedFieldVoidsTheSentence(body: String) {
        let (found, rejections) = sentences(nmea(body))
        #expect(found.isEmpty)
        var expected = NMEARejections()
        expected.badField = 1
        #expect(rejections == expected)
    }

    @Test func otherSentencesAreNoNewsAndNoFault() {
        let text =
            nmea("PGRMC,120004.00,A,5430.0000,N,00330.0000,E") + nmea("GPTXT,01,01,02,hello")
            + nmea("HCHDG,90.0,,,,") + nmea("X")
        #expect(sentences(text).sentences.isEmpty)
        #expect(sentences(text).rejections == NMEARejections())
    }

    @Test func anEndlessSentenceIsDroppedAndTheNextIsRead() {
        let endless = "$" + String(repeating: "GP,", count: 300)
        let (found, rejections) = sentences(endless + nmea("GPVTG,1,T,,M,1,N,,K"))
        #expect(found.count == 1)
        #expect(rejections.tooLong == 1)
    }

    /// Void and unknown are dropped and told apart; a good one is not refused for its navigational status.
    @Test("G02: void and unknown status are told apart, a navigational status refuses nothing") func g02StatusLetters()
    {
        let (found, rejections) = sentences(
            "$GPRMC,120007.00,V,0000.0000,N,00000.0000,E,0.0,0.0,301126,,,N*45\r\n"
                + "$GNRMC,120008.00,A,5430.0000,N,00330.0000,E,0.1,,301126,,,A,V*1B\r\n"
                + "$GPRMC,120008.00,L,5430.0000,N,00330.0000,E,0.1,,301126,,*1F\r\n"
                + nmea("GPRMC,120009.00,,5430.0000,N,00330.0000,E,0.1,,301126,,,S,A")
                + nmea("GPRMC,120010.00,A,5430.0000,N,00330.0000,E,0.1,,301126,,,N"))
        var expected = NMEARejections()
        (expected.void, expected.unknownStatus) = (3, 1)
        #expect(rejections == expected)
        #expect(found.map { if case .rmc(let rmc) = $0 { rmc.isValid } else { false } } == [false, true, false, false])
        guard found.count > 1, case .rmc(let good) = found[1] else {
            Issue.record("the good sentence is missing")
            return
        }
        #expect(good.course == nil)
        #expect(good.speed == 0.1 * 1852 / 3600)
    }
}
