import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import LocationProviders

/// Files of every format, told apart by what is in them.
@Suite struct LogReaderTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func reader(_ bytes: [UInt8], rollover: ReplaySettings.Rollover = .keep) throws -> LogReader {
        let file = directory.file("log")
        try Data(bytes).write(to: file)
        return try LogReader(
            ReplaySettings(file: file.path, rollover: rollover), common: CommonProviderSettings())
    }

    func records(_ text: String) throws -> [LogRecord] { try records(try reader(Array(text.utf8))) }

    func records(_ reader: LogReader) throws -> [LogRecord] {
        var records: [LogRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    func locations(_ text: String) throws -> [Location] {
        try records(text).compactMap { if case .fix(let location) = $0.event { location } else { nil } }
    }

    static let logs: [String: String] = [
        "nmea": nmea("GPRMC,120000.00,A,5430.0,N,00330.0,E,1,,301126,,,A")
            + nmea("GPRMC,120001.00,A,5430.0,N,00330.0,E,1,,301126,,,A"),
        "gpsd":
            "{\"class\":\"TPV\",\"mode\":3,\"time\":\"2026-11-30T12:00:00.000Z\",\"lat\":54.5,\"lon\":3.5}\n{\"class\":\"TPV\",\"mode\":3,\"time\":\"2026-11-30T12:00:01.000Z\",\"lat\":54.5,\"lon\":3.5}\n",
        "gpx":
            "<?xml version=\"1.0\"?>\n<gpx><trk><trkseg><trkpt lat=\"54.5\" lon=\"3.5\"><time>2026-11-30T12:00:00Z</time></trkpt><trkpt lat=\"54.5\" lon=\"3.5\"><time>2026-11-30T12:00:01Z</time></trkpt></trkseg></trk></gpx>\n",
        "csv": "time,lat,lon\n2026-11-30T12:00:00Z,54.5,3.5\n2026-11-30T12:00:01Z,54.5,3.5\n",
        "recording": "fixcast-recording 1 command 2026-11-30T12:00:00.000Z\n"
            + "0.000000 {\"lat\":54.5,\"lon\":3.5}\\n\n1.000000 {\"lat\":54.5,\"lon\":3.5}\\n\n",
    ]

    /// What may stand before the first thing that tells a format.
    static let beginnings: [[UInt8]] = [
        [], [0xEF, 0xBB, 0xBF], Array("\r\n\n  \t\n".utf8), Array("# a comment\n// another\n".utf8),
        Array("*** logger started, 54.5,3.5 ***\n$GPRMC,cut off\n$GPRMC,120000,A*00\n{\"class\":\"VER\n".utf8),
        (0...255).map { UInt8($0) } + Array("\n".utf8), Array("lat,lon,time\n| lat | lon |\n|---|---|\n".utf8),
        [0, 0, 0xFF, 0x0A], Array("<<<<>?>\"'&\n".utf8),
    ]

    @Test(arguments: logs.keys.sorted(), 0..<beginnings.count)
    func contentTellsTheFormatWhateverStandsBefore(format: String, beginning: Int) throws {
        let text = try #require(Self.logs[format])
        let reader = try reader(Self.beginnings[beginning] + Array(text.utf8))
        let times = try records(reader).map(\.time)
        #expect(times == [noon, noon + 1.0])
        #expect(reader.damage.count <= 1)
    }

    @Test func xmlMayBeUTF16() throws {
        let text = try #require(Self.logs["gpx"]).replacing(
            " version=\"1.0\"", with: " version=\"1.0\" encoding=\"UTF-16\"")
        var bytes: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { bytes += [UInt8(unit & 255), UInt8(unit >> 8)] }
        #expect(try records(try reader(bytes)).count == 2)
    }

    @Test func whatIsNoLogIsNamed() throws {
        func found(_ text: String) -> UnknownContent? { found(Array(text.utf8)) }
        func found(_ bytes: [UInt8]) -> UnknownContent? {
            do {
                _ = try reader(bytes)
            } catch ReplayError.unknownFormat(_, let found) {
                return found
            } catch {}
            return nil
        }
        #expect(found("") == .nothing)
        #expect(found("Dear diary,\nnothing happened\n") == .text)
        #expect(found([0xB5, 0x62, 1, 7, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 14]) == .binary)
        #expect(found("<?xml version='1.0'?><kml:kml><Placemark/></kml:kml>") == .xml(root: "kml"))
        #expect(found("{\"type\":\"FeatureCollection\"}") == .json)
        #expect(found("$GPGGA,220134.00,3725.4,N,12205.6,W,1,14,1.0,2.70,M,-32.64,M,,\n") == .uncheckedSentences)
        #expect(found(nmea("HCHDM,90.0,M") + nmea("SDDPT,2.4,")) == .sentencesWithoutPosition)
        #expect(found("fixcast-recording 2 nmea -\n") == .laterRecording)
    }

    @Test func aLogWithoutPositionsIsNoneToReplay() throws {
        for text in [
            "lat,lon\n", "lat,lon\nnorth,east\n", "<gpx><trk><trkseg/></trk></gpx>", "fixcast-recording 1 nmea -\n",
        ] {
            #expect(throws: ReplayError.noPositions(file: directory.file("log").path)) { try records(text) }
        }
    }

    @Test func aGPXFileWithoutATrackIsItsRouteOrItsPlaces() throws {
        #expect(
            try locations(
                "<gpx><wpt lat='1' lon='1'/><rte><rtept lat='2' lon='2'/><rtept lat='3' lon='3'/></rte></gpx>"
            )
            .map(\.coordinate.latitude) == [2, 3])
        #expect(try locations("<gpx><wpt lat='1' lon='1'/><trk/></gpx>").map(\.coordinate.latitude) == [1])
    }

    @Test func whatIsWholeOfADamagedGPXFileIsReplayed() throws {
        let start = "<gpx>\n<trk><trkseg><trkpt lat='1' lon='1'/>\n"
        let cut = try reader(Array((start + "<trkpt lat='2' l").utf8))
        #expect(try records(cut).count == 1)
        #expect(cut.isCutOff)
        let broken = try reader(Array((start + "<trkpt lat='2'></wrong>").utf8))
        #expect(try broken.next() != nil)
        #expect(
            throws: ReplayError.damaged(
                file: directory.file("log").path, line: 3, reason: .malformed("mismatched tag"))
        ) { try broken.next() }
        #expect(
            throws: ReplayError.damaged(file: directory.file("log").path, line: 1, reason: .entities)
        ) { try records("<?xml version='1.0'?><!DOCTYPE gpx [<!ENTITY x 'y'>]><gpx>&x;</gpx>") }
    }

    @Test func anEpochOfGpsdIsOnePositionWithAllThatItsReportsSaid() throws {
        let time = "\"time\":\"2026-11-30T12:00:00.000Z\""
        let text = """
            {"class":"TPV","mode":2,\(time),"lat":54.5,"lon":3.5}
            {"class":"TPV","mode":3,\(time),"lat":54.5,"lon":3.5,"track":90.5}
            {"class":"TPV","mode":3,\(time),"lat":54.5,"lon":3.5,"speed":2.5}
            {"class":"TPV","mode":3,"time":"2026-11-30T12:00:01.000Z","lat":54.5,"lon":3.5}
            """
        let locations = try locations(text)
        #expect(locations.count == 2)
        #expect(locations.first?.course == 90.5 && locations.first?.speed == 2.5)
    }

    @Test func aLogOfTwoReceiversIsOneDrive() throws {
        let text = (0..<20).map { second in
            ["/dev/a", "/dev/b"].map { device in
                let latitude = device == "/dev/a" ? 54.5 : 55.5
                return
                    "{\"class\":\"TPV\",\"device\":\"\(device)\",\"mode\":3,\"time\":\"2026-11-30T12:00:\(second + 10).000Z\",\"lat\":\(latitude),\"lon\":3.5}\n"
            }.joined()
        }.joined()
        #expect(try locations(text).map(\.coordinate.latitude) == Array(repeating: 54.5, count: 20))
    }

    @Test func G09_datesAreAsRecordedUnlessTheyAreToBeCorrected() throws {
        let text = nmea("GPRMC,120000.00,A,5430.0000,N,00330.0000,E,10.0,90.0,160407,,,A")
        #expect(try records(text).map { $0.time } == [noon + -1024.0 * 7 * 86_400])
        let corrected = try reader(Array(text.utf8), rollover: .correct)
        // By when the file was written, which is now.
        let time = try #require(try records(corrected).first?.time)
        #expect(time > noon + -1000.0)
        #expect(
            try locations("time,lat,lon\n1969-07-20T20:17:40Z,1,2\n").first?.timestamp?.milliseconds == -14_182_940_000)
    }

    @Test func aLogLargerThanItsBuffersIsReadInPieces() throws {
        let rows = (0..<50_000).map { "\(1_796_040_000 + $0),54.5,3.5," + String(repeating: "x", count: 30) }
        let text = "time,lat,lon,note\n" + rows.joined(separator: "\n") + "\n"
        #expect(try locations(text).map(\.timestamp).last == noon + 49_999.0)
        let points = (0..<20_000).map { "<trkpt lat='54.5' lon='3.5'><ele>\($0)</ele></trkpt>" }.joined()
        // Without a single line end.
        #expect(try locations("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>").last?.altitude == 19_999)
    }
}
