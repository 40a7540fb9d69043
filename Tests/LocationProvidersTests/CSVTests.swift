import Positioning
import Testing

@testable import LocationProviders

@Suite struct CSVTests {
    func header(_ line: String) -> CSVHeader? {
        let bytes = Array(line.utf8)
        return CSVHeader.read(bytes.span, 0..<bytes.count)
    }

    /// The records of a table whose first line is its header.
    func read(_ text: String) throws -> (records: [LogRecord], damage: LogDamage) {
        var (parser, records) = (CSVParser?.none, [LogRecord]())
        var splitter = LineSplitter(capacity: 65_536)
        let bytes = Array(text.utf8)
        _ = splitter.append(bytes.span)
        func take(_ line: Range<Int>, _ lines: borrowing LineSplitter) {
            if parser == nil { parser = CSVHeader.read(lines.bytes.span, line).map { CSVParser($0, uere: 5) } }
            parser?.read(lines.bytes.span, line, number: lines.lineNumber, into: &records)
        }
        while let line = splitter.nextLine() { take(line, splitter) }
        if let line = splitter.lastLine() { take(line, splitter) }
        parser?.finish()
        return (records, try #require(parser).damage)
    }

    func location(_ text: String) throws -> Location {
        let (records, damage) = try read(text)
        #expect(damage.count == 0)
        guard records.count == 1, case .fix(let location) = records[0].event else {
            Issue.record("no single fix: \(records)")
            return Location(coordinate: Coordinate(latitude: 0, longitude: 0))
        }
        return location
    }

    @Test func aRowIsAsCompleteAsTheTable() throws {
        var expected = Location(
            coordinate: Coordinate(latitude: 54.5, longitude: -3.5), horizontalAccuracy: 2.5, timestamp: noon)
        (expected.altitude, expected.speed, expected.course) = (34.5, 13.9, 271.3)
        #expect(
            try location(
                "time,lat,lon,alt,speed,course,hacc\n2026-11-30T12:00:00Z,54.5,-3.5,34.5,13.9,271.3,2.5\n") == expected)
    }

    @Test func whatIsEmptyIsUnknownAndAZeroIsAZero() throws {
        let location = try location("time,lat,lon,alt,speed,course,hacc\n,54.5,-3.5,,0,0,\n")
        #expect(location.timestamp == nil && location.altitude == nil && location.horizontalAccuracy == nil)
        #expect(location.speed == 0 && location.course == 0)
        for word in ["-", "--", "NaN", "null", "NULL", "n/a", "NA", "None"] {
            #expect(try self.location("lat,lon,speed\n1,2,\(word)").speed == nil)
        }
    }

    @Test(arguments: [
        "Longitude;Latitude;Timestamp\n-3,5;54,5;1796040000",
        "id\tUnix Time\tLNG\tLAT\tnote\n1\t1796040000000\t-3.5\t54.5\thome",
        "\"lat\",\"time (UTC)\",\"long\",\"x\"\n\"54.5\",\"2026-11-30 12:00:00\",\"-3.5\",\"a, \"\"b\"\", c\"",
        "TimeStamp_ms,gps_latitude,gps_longitude\n1796040000000,54.5,-3.5",
        "lat|lon|date|time\n54.5|-3.5|2026-11-30|12:00:00",
        "UnixTimeMillis,LatitudeDegrees,LongitudeDegrees\n1796040000000,54.5,-3.5",
        "epoch, Lat , Lon ,\n 1.79604e9 , 54.5 , -3.5 ,",
        "tst,lat,lon\n1796040000000000,54.5,-3.5",
        "tst,lat,lon\n1796040000000000000,54.5,-3.5",
    ])
    func columnsGoByNameInAnyOrderAndWithAnySeparator(text: String) throws {
        let location = try location(text)
        #expect(location.coordinate == Coordinate(latitude: 54.5, longitude: -3.5))
        #expect(location.timestamp == noon)
    }

    @Test(arguments: [
        ("speed (km/h)", 36.0, 10.0), ("speed_kmh", 36, 10), ("Speed[m/s]", 36, 36), ("speed_ms", 36, 36),
        ("sog (kn)", 36, 18.52), ("speed mph", 10, 4.4704), ("velocity", 36, 36),
    ])
    func speedsAreReadInTheirUnit(name: String, written: Double, metresPerSecond: Double) throws {
        let speed = try #require(try location("lat,lon,\(name)\n1,2,\(written)").speed)
        #expect(abs(speed - metresPerSecond) < 1e-9)
    }

    @Test func aColumnInAnUnknownUnitIsNotRead() throws {
        #expect(try location("lat,lon,speed (furlongs)\n1,2,3").speed == nil)
        #expect(try location("lat,lon,altitude (kPa)\n1,2,3").altitude == nil)
        #expect(try location("lat,lon,alt (ft)\n1,2,100").altitude == 30.48)
    }

    @Test func synonymsFillTheirFields() throws {
        let location = try location(
            "latitude,longitude,elevation,bearing,accuracy,vertical_accuracy,HDOP,satellites,hae\n1,2,34,360,4,6,1.5,9,80\n"
        )
        #expect(location.altitude == 34 && location.altitudeReference == .meanSeaLevel)
        #expect(location.geoidSeparation == 46)
        #expect(location.course == 0 && location.horizontalAccuracy == 4 && location.verticalAccuracy == 6)
        #expect(location.hdop == 1.5 && location.satellitesUsed == 9)
        #expect(try self.location("lat,lon,hdop\n1,2,1.5").horizontalAccuracy == 7.5)
        let ellipsoid = try self.location("lat,lon,hae\n1,2,80")
        #expect(ellipsoid.altitude == 80 && ellipsoid.altitudeReference == .wgs84Ellipsoid)
    }

    @Test func negativeIsHowProgramsSayUnknown() throws {
        let location = try location("lat,lon,speed,course,hacc,vacc,alt\n1,2,-1,-1,-1,-1,-4\n")
        #expect(location.speed == nil && location.course == nil && location.horizontalAccuracy == nil)
        #expect(location.altitude == -4 && location.verticalAccuracy == nil)
    }

    @Test func aRowWithoutPositionSaysThatThereWasNoFix() throws {
        let (records, damage) = try read("time,lat,lon\n2026-11-30T12:00:00Z,,\n")
        #expect(records == [.noFix(noon)])
        #expect(damage.count == 0)
    }

    @Test func aBadRowIsLeftOutWithItsLineAndLosesNothingElse() throws {
        let (records, damage) = try read(
            """
            # a comment
            time,lat,lon,speed

            2026-11-30T12:00:00Z,1,2,3
            2026-11-30T12:00:01Z,1.x,2,3
            # another
            2026-11-30T12:00:02Z,1,,3
            yesterday,1,2,3
            2026-11-30T12:00:04Z,1,2
            2026-11-30T12:00:05Z,1,2,fast
            2026-11-30T12:00:06Z,1,2,3,4,5
            1,5
            2026-11-30T12:00:07Z,91,181,3
            2026-11-30T12:00:08Z,1,2.
            """)
        #expect(records.map { $0.time.map { ($0 - noon).inSeconds } } == [0, 6, 7])
        #expect(damage.count == 7)
        #expect(damage.lines == [5, 7, 8, 9, 10])
    }

    @Test func aQuotedValueMayGoOnInTheNextLineAndALostMarkLosesOneRow() throws {
        let (records, damage) = try read(
            "note,lat,lon\n\"two\nlines\",1,2\n\"no end,3,4\nplain,5,6\n\"a\nb\nc\",7,8\n\"never closed,9,10\n")
        let latitudes = records.map { record -> Double in
            if case .fix(let location) = record.event { location.coordinate.latitude } else { .nan }
        }
        #expect(latitudes == [1, 5, 7])
        #expect(damage.count == 2)
        #expect(damage.lines == [4, 9])
    }

    @Test func logsPutBehindOneAnotherMayHaveOtherColumns() throws {
        let (records, damage) = try read("lat,lon\n1,2\nlon,lat\n2,1\nlon,lat\n2,1")
        #expect(records.count == 3 && damage.count == 0)
        #expect(Set(records.map(\.event)).count == 1)
    }

    @Test func aTableWithoutTimesComesAtOneRowASecond() throws {
        let (records, _) = try read("lat,lon\n1,2\n3,4\n5,6\n")
        #expect(records.map { $0.time?.milliseconds } == [1000, 2000, 3000])
    }

    @Test(arguments: [
        "", "lat", "a,b,c", "latitude;time", "Dear diary, lat and lon are far", "$GPRMC,1,2,3", "54.5,3.5",
    ])
    func whatNamesNoPlaceIsNoHeader(line: String) { #expect(header(line) == nil) }
}

extension LogRecord.Event: Hashable {
    public func hash(into hasher: inout Hasher) {}
}
