import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import LocationProviders

@Suite(.enabled(if: RealData.directory != nil, "\(RealData.missing)")) struct RealLogTests {
    func records(_ bytes: [UInt8]) -> [LogRecord] {
        var probe = LogProbe()
        probe.read(bytes.span)
        probe.finish()
        var parser = LogParser(
            probe.format ?? .nmea, common: CommonProviderSettings(), dates: .asRecorded, reference: nil)
        var records: [LogRecord] = []
        lines(bytes, piece: 4096, capacity: 65_536) { parser.read($0, $1, number: 1, into: &records) }
        parser.finish(into: &records)
        return records
    }

    func fixes(_ records: [LogRecord]) -> [Location] {
        records.compactMap { if case .fix(let location) = $0.event { location } else { nil } }
    }

    func replay(_ name: String) throws -> (fixes: [Location], damage: LogDamage) {
        let file = try #require(RealData.directory).appendingPathComponent(name).path
        let reader = try LogReader(ReplaySettings(file: file), common: CommonProviderSettings())
        var records: [LogRecord] = []
        while let record = try reader.next() { records.append(record) }
        return (fixes(records), reader.damage)
    }

    @Test func everyRowOfTheTablesIsReadAndEveryOriginalIsTheSameDrive() throws {
        for name in try RealData.names(in: "tracks/csv", suffix: ".csv") {
            let (table, damage) = try replay(name)
            let rows = String(decoding: try RealData.bytes(name), as: UTF8.self).split(whereSeparator: \.isNewline)
            #expect(table.count == rows.count - 1 && damage.count == 0, "\(name)")
            let original = name.dropFirst("tracks/csv/".count).dropLast(".csv".count)
            for raw in try RealData.names(in: "tracks/raw") where raw.hasPrefix("tracks/raw/\(original).") {
                var places: [UTCInstant: Coordinate] = [:]
                for fix in try replay(raw).fixes { if let time = fix.timestamp { places[time] = fix.coordinate } }
                let shared = table.filter { places[$0.timestamp ?? noon] != nil }
                #expect(Double(shared.count) > 0.9 * Double(table.count), "\(raw)")
                for fix in shared {
                    guard let place = places[fix.timestamp ?? noon] else { continue }
                    // A file may have two points of one second.
                    #expect(Geodesy.distance(place, fix.coordinate) < 60, "\(raw)")
                }
            }
        }
    }

    @Test func everyGPXFileIsReplayedAsFarAsItHoldsPlaces() throws {
        for name in try RealData.names(in: "malformed", suffix: ".gpx") {
            let text = String(decoding: try RealData.bytes(name), as: UTF8.self)
            func count(_ tag: String) -> Int { text.ranges(of: "<\(tag)").count }
            let expected = [count("trkpt"), count("rtept"), count("wpt")].first { $0 > 0 } ?? 0
            guard expected > 0 else {
                #expect(throws: ReplayError.self) { try replay(name) }
                continue
            }
            let (fixes, damage) = try replay(name)
            #expect(fixes.count + Int(damage.count) == expected, "\(name)")
            #expect(fixes.contains { $0.coordinate.isCorrect })
        }
    }

    /// gpsd is the other opinion: where both date a position, they agree on it, and we find as many.
    @Test func nmeaLogsGiveThePositionsThatGpsdGives() throws {
        var (ours, agreed) = (0, 0)
        for name in try RealData.names(in: "gpsd-nmea", suffix: ".log") {
            let made = fixes(records(try RealData.bytes(name)))
            let answer = String(decoding: try RealData.bytes(name + ".chk327"), as: UTF8.self)
            let json = answer.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }.joined(separator: "\n")
            var theirs: [UTCInstant: Location] = [:]
            for location in fixes(records(Array(json.utf8))) {
                if let time = location.timestamp { theirs[time] = location }
            }
            let dated = made.compactMap(\.timestamp)
            #expect(dated.count - Set(dated).count <= 1, "one location an epoch: \(name)")
            for location in made {
                guard let time = location.timestamp else { continue }
                ours += 1
                guard let other = theirs[time] else { continue }
                agreed += 1
                // RMC and GGA of one epoch differ by a second's way in one receiver.
                #expect(Geodesy.distance(location.coordinate, other.coordinate) < 4, "\(name)")
            }
        }
        #expect(ours > 1200)
        #expect(Double(agreed) > 0.95 * Double(ours))
    }

    @Test func noLogTrapsAndEveryNmeaPositionIsAPlace() throws {
        for folder in ["gpsd-nmea", "malformed"] {
            for name in try RealData.names(in: folder) {
                for location in fixes(records(try RealData.bytes(name))) where location.source == "nmea" {
                    #expect(location.coordinate.isCorrect, "\(name)")
                    #expect(location.horizontalAccuracy ?? 1 > 0, "\(name)")
                    #expect((0..<360).contains(location.course ?? 0), "\(name)")
                }
            }
        }
    }

    /// A log as it came when it was live: each line 10 ms after the one before, each epoch when its time says.
    @Test func logsReadLiveGiveTheEpochsThatTheyGiveRecorded() throws {
        var (recorded, live, same) = (0, 0, 0)
        for name in try RealData.names(in: "gpsd-nmea", suffix: ".log") {
            let bytes = try RealData.bytes(name)
            let whole = fixes(records(bytes))
            let told = NMEALogReplay(bytes).locations
            recorded += whole.count
            live += told.count
            // With a clock neither an epoch more nor one less, but where a log has none of its own.
            #expect(abs(whole.count - told.count) <= max(1, whole.count / 10), "\(name): \(whole.count), \(told.count)")
            for (a, b) in zip(whole, told) where a.coordinate == b.coordinate && a.speed == b.speed { same += 1 }
        }
        #expect(recorded > 1400 && abs(recorded - live) <= recorded / 100)
        #expect(Double(same) > 0.9 * Double(recorded), "\(same) of \(recorded)")
    }
}
