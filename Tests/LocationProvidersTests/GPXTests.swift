import Positioning
import Testing
import XMLText

@testable import LocationProviders

@Suite struct GPXTests {
    func read(_ text: String, _ list: GPXParser.List = .track, pieces: Int = 7) throws -> (
        records: [LogRecord], parser: GPXParser
    ) {
        var xml = XMLStream()
        var (parser, records, next) = (GPXParser(list, uere: 5), [LogRecord](), 0)
        let bytes = Array(text.utf8)
        while next < bytes.count {
            let end = min(bytes.count, next + pieces)
            try xml.read(bytes.span.extracting(next..<end), isFinal: end == bytes.count)
            xml.withEvents { parser.read($0, into: &records) }
            next = end
        }
        return (records, parser)
    }

    func track(_ points: String) -> String { "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>" }

    func location(_ points: String) throws -> Location {
        let (records, _) = try read(track(points))
        guard records.count == 1, case .fix(let location) = records[0].event else {
            Issue.record("no single fix: \(records)")
            return Location(coordinate: Coordinate(latitude: 0, longitude: 0))
        }
        return location
    }

    @Test(arguments: [
        "<ele>34.5</ele><time>2026-11-30T12:00:00Z</time><course>271.3</course><speed>13.9</speed><fix>3d</fix><sat>9</sat><hdop>0.9</hdop><geoidheight>45</geoidheight>",
        "<ele> 34.5\n</ele><time>2026-11-30T13:00:00+01:00</time><geoidheight>45</geoidheight><fix>3d</fix><sat>9</sat><hdop>0.9</hdop><extensions><gpxtpx:TrackPointExtension xmlns:gpxtpx='u'><gpxtpx:hr>99</gpxtpx:hr><gpxtpx:speed>13.9</gpxtpx:speed><gpxtpx:course>271.3</gpxtpx:course></gpxtpx:TrackPointExtension></extensions>",
        "<!-- here --><ele>34<!-- not 35 -->.5</ele><time>2026-11-30T12:00:00.000</time><sat>9</sat><fix>3d</fix><hdop>0.9</hdop><geoidheight>45</geoidheight><extensions><x:speed xmlns:x='y'>13.9</x:speed><ns9:course xmlns:ns9='z'>271.3</ns9:course></extensions>",
    ])
    func aPointIsAsCompleteAsTheFileWhateverItsVersion(content: String) throws {
        var expected = Location(
            coordinate: Coordinate(latitude: 54.5, longitude: -3.5), horizontalAccuracy: 4.5, timestamp: noon)
        (expected.altitude, expected.geoidSeparation, expected.speed, expected.course) = (34.5, 45, 13.9, 271.3)
        (expected.fix, expected.satellitesUsed, expected.hdop) = (.threeD, 9, 0.9)
        #expect(try location("<trkpt lat='54.5' lon='-3.5'>\(content)</trkpt>") == expected)
    }

    @Test func whatIsMissingOrUnreadableIsUnknown() throws {
        #expect(try location("<trkpt lat='1' lon='2'/>") == Location(coordinate: Coordinate(latitude: 1, longitude: 2)))
        #expect(
            try location(
                "<trkpt lon='2' lat='1'><ele>high</ele><time>noon</time><speed>-1</speed><course>400</course><hdop>0</hdop><sat>many</sat><fix>?</fix></trkpt>"
            ) == Location(coordinate: Coordinate(latitude: 1, longitude: 2)))
    }

    @Test func aPointWithoutFixIsNoPosition() throws {
        let (records, _) = try read(
            track("<trkpt lat='1' lon='2'><time>2026-11-30T12:00:00Z</time><fix>none</fix></trkpt>"))
        #expect(records == [.noFix(noon)])
    }

    @Test func eachListIsReadAlone() throws {
        let text =
            "<gpx><wpt lat='1' lon='1'/><rte><rtept lat='2' lon='2'/></rte><trk><trkseg/><trkseg><trkpt lat='3' lon='3'/></trkseg></trk><trk><trkseg><trkpt lat='3' lon='3'/></trkseg></trk></gpx>"
        for (list, latitudes) in [(GPXParser.List.track, [3.0, 3]), (.route, [2]), (.waypoints, [1])] {
            let records = try read(text, list).records
            #expect(
                records.map { if case .fix(let location) = $0.event { location.coordinate.latitude } else { 0 } }
                    == latitudes)
        }
    }

    @Test func aPointThatCannotBeReadIsLeftOutWithItsLine() throws {
        let (records, parser) = try read(
            track(
                "<trkpt lat='1' lon='2'/>\n<trkpt lat='north' lon='2'><ele>1</ele></trkpt>\n\n<trkpt lat='1'/>\n<trkpt lat='1' lon='2'/>"
            ))
        #expect(records.count == 2)
        #expect(parser.damage.lines == [2, 4])
        #expect(parser.points == 4)
    }

    @Test func theNestedElementsOfAPointDoNotEndIt() throws {
        let location = try location(
            "<trkpt lat='1' lon='2'><link href='x'><text>trkpt</text></link><ele>7</ele><extensions><trkpt lat='8' lon='9'/></extensions><speed>3</speed></trkpt>"
        )
        #expect(location.altitude == 7 && location.speed == 3 && location.coordinate.latitude == 1)
    }
}
