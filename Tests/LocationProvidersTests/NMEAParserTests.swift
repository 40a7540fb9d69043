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

    /// Void, unknown and empty in every sentence that has a position: none of them becomes a zero.
    @Test("G02: the same of GLL, GNS, GGA and VTG") func g02OtherSentences() {
        let (found, rejections) = sentences(
            nmea("GPGLL,0000.0000,N,00000.0000,E,120000.00,V,N") + nmea("GPGLL,5430.0000,N,00330.0000,E,120000.00,A,N")
                + nmea("GPGLL,5430.0000,N,00330.0000,E,120000.00,D,A")
                + nmea("GNGNS,120000.00,0000.0000,N,00000.0000,E,NN,00,99.99,,,,,V")
                + nmea("GNGNS,120000.00,5430.0000,N,00330.0000,E,AN,05,,,,,,V") + nmea("GPGGA,120000.00,,,,,,,,,,,,,")
                + nmea("GPVTG,,,,,,,,,"))
        var expected = NMEARejections()
        (expected.void, expected.unknownStatus) = (4, 1)
        #expect(rejections == expected)
        let noon: Int32 = 43_200_000
        var gns = NMEASentence.GNS(
            time: noon, mode: .autonomous, coordinate: Coordinate(latitude: 54.5, longitude: 3.5))
        gns.satellites = 5
        #expect(
            found == [
                .gll(NMEASentence.GLL(time: noon)), .gll(NMEASentence.GLL(time: noon)),
                .gns(NMEASentence.GNS(time: noon)), .gns(gns), .gga(NMEASentence.GGA(time: noon)),
                .vtg(NMEASentence.VTG()),
            ])
    }

    /// NMEA 4.1's tag blocks, the encapsulated sentences of AIS, sentences of a maker.
    @Test func whatIsNoSentenceOfOursIsPassedOver() {
        let one = nmea("GPVTG,1,T,,M,1,N,,K")
        let (found, rejections) = sentences(
            "\\g:1-2-1234,s:r3669961,c:1206*57\\" + one + "!AIVDM,1,1,,B,140Ut9@P000J9DjN?1Lh0?vF0D1A,0*2A\r\n" + one
                + nmea("PUBX,00,120000.00,5430.0000,N,00330.0000,E") + nmea("PGRMC,A,2,3") + "\\s:x*00\\\r" + one)
        #expect(found.count == 3)
        #expect(rejections == NMEARejections())
    }

    @Test(arguments: ["\r\n", "\n", "\r", "\n\r", "\r\r\n"]) func everyLineEndIsOne(end: String) {
        let text = (0..<4).map { nmea("GPVTG,\($0),T,,M,1,N,,K", end: end) }.joined()
        #expect(sentences(text).sentences.count == 4)
    }

    /// The words of eight bytes that the checksum is made of begin anywhere and end anywhere.
    @Test func everyLengthAndPlaceHasTheSameChecksum() {
        for length in 0..<40 {
            for offset in 0..<9 {
                let text =
                    String(repeating: " ", count: offset) + nmea("GPVTG,1.\(String(repeating: "5", count: length)),T")
                #expect(sentences(text).sentences.count == 1, "\(length) \(offset)")
                #expect(sentences(text.replacing("GPVTG", with: "GPVTF")).rejections.badChecksum == 1)
            }
        }
    }

    @Test func numbersAreExact() {
        for (text, value) in [
            ("0", 0.0), ("0.1", 0.1), ("359.99", 359.99), ("1.23456789012345678901234567890", 1.2345678901234567),
            ("000012.5", 12.5), (".5", 0.5), ("5.", 5), ("123456789012345678", 123_456_789_012_345_680),
        ] {
            let bytes = Array(text.utf8)
            var fields = NMEAFields(0..<bytes.count)
            #expect(fields.magnitude(bytes.span) == value, "\(text)")
        }
        for text in [".", "1.2.3", "+1", "1e3", "1234567890123456789", "0x1", "1 ", "-1"] {
            let bytes = Array(text.utf8)
            var fields = NMEAFields(0..<bytes.count)
            #expect(fields.magnitude(bytes.span) == nil && fields.isDamaged, "\(text)")
        }
    }
}
