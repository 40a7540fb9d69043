import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import LocationProviders

@Suite(.enabled(if: RealData.directory != nil, "\(RealData.missing)")) struct RealLogTests {
    func records(_ bytes: [UInt8]) -> ([LogRecord], LogParser) {
        var parser = LogParser(uere: 5, accuracy: GPSDAccuracy(), reference: nil)
        var records: [LogRecord] = []
        lines(bytes, piece: 4096, capacity: 65_536) { parser.read($0, $1, into: &records) }
        parser.finish(into: &records)
        return (records, parser)
    }

    func fixes(_ records: [LogRecord]) -> [Location] {
        records.compactMap { if case .fix(let location) = $0 { location } else { nil } }
    }

    /// gpsd is the other opinion: where both date a position, they agree on it, and we find as many.
    @Test func nmeaLogsGiveThePositionsThatGpsdGives() throws {
        var (ours, agreed) = (0, 0)
        for name in try RealData.names(in: "gpsd-nmea", suffix: ".log") {
            let made = fixes(records(try RealData.bytes(name)).0)
            let answer = String(decoding: try RealData.bytes(name + ".chk327"), as: UTF8.self)
            let json = answer.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }.joined(separator: "\n")
            var theirs: [UTCInstant: Location] = [:]
            for location in fixes(records(Array(json.utf8)).0) {
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
        #expect(Double(agreed) > 0.96 * Double(ours))
    }

    @Test func noLogTrapsAndEveryNmeaPositionIsAPlace() throws {
        for folder in ["gpsd-nmea", "malformed"] {
            for name in try RealData.names(in: folder) {
                for location in fixes(records(try RealData.bytes(name)).0) {
                    #expect(location.coordinate.isCorrect, "\(name)")
                    #expect(location.horizontalAccuracy ?? 1 > 0, "\(name)")
                    #expect((0..<360).contains(location.course ?? 0), "\(name)")
                }
            }
        }
    }
}
