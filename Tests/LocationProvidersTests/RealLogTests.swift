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

    @Test func theVectorsOfOtherParsersAreReadAsTheyReadThem() throws {
        var checked = 0
        let text = String(decoding: try RealData.bytes("nmea-vectors/vectors.jsonl"), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let vector = try JSONDecoder().decode(Vector.self, from: Data(line.utf8))
            guard vector.isUnderstood, !vector.why.contains("DISPUTED") else { continue }
            checked += 1
            let (found, rejections) = sentences(vector.sentence)
            if vector.accept {
                vector.check(found)
            } else {
                // A void one gives no position either; without a dollar there is nothing to refuse.
                #expect(found.isEmpty || found == [.gga(NMEASentence.GGA())], "\(vector.sentence)")
                #expect(rejections != NMEARejections() || !vector.sentence.contains("$"), "\(vector.sentence)")
            }
        }
        #expect(checked > 40)
    }
}

/// A sentence and what other parsers made of it.
private struct Vector: Decodable {
    struct Values: Decodable {
        var status: String?
        var mode: String?
        var quality: Int?
        var lat: Double?
        var lon: Double?
        var knots: Double?
        var course: Double?
        var sats: Int?
        var hdop: Double?
        var altitude: Double?

        enum CodingKeys: String, CodingKey {
            case status, mode, quality, lat, lon, sats, hdop
            case knots = "speed_kn"
            case course = "course_deg"
            case altitude = "alt_msl_m"
        }
    }

    var sentence: String
    var accept: Bool
    var why: String
    var out: Values?

    enum CodingKeys: String, CodingKey {
        case sentence = "in"
        case accept, why, out
    }

    /// Of the types that are read here.
    var isUnderstood: Bool {
        guard let comma = sentence.firstIndex(of: ",") else { return false }
        return ["RMC", "GGA", "GSA", "GST", "VTG"].contains(String(sentence[..<comma].suffix(3)))
    }

    func check(_ found: [NMEASentence]) {
        guard let read = found.first, let out else {
            Issue.record("not accepted: \(sentence)")
            return
        }
        func same(_ a: Double?, _ b: Double?) -> Bool {
            guard let a, let b else { return a == nil && b == nil }
            return abs(a - b) < 1e-6
        }
        switch read {
        case .rmc(let rmc):
            #expect(rmc.isValid == (out.status == "A" && out.mode != "N"), "\(sentence)")
            guard rmc.isValid else { return }
            #expect(same(rmc.coordinate?.latitude, out.lat) && same(rmc.coordinate?.longitude, out.lon), "\(sentence)")
            #expect(same(rmc.speed, out.knots.map { $0 * 1852 / 3600 }), "\(sentence)")
            #expect(same(rmc.course, out.course), "\(sentence)")
        case .gga(let gga):
            #expect(Int(gga.quality) == out.quality ?? 0, "\(sentence)")
            guard gga.quality > 0 else { return }
            #expect(same(gga.coordinate?.latitude, out.lat) && same(gga.coordinate?.longitude, out.lon), "\(sentence)")
            #expect(gga.satellites == out.sats && same(gga.hdop, out.hdop), "\(sentence)")
            #expect(same(gga.altitude, out.altitude), "\(sentence)")
        case .vtg(let vtg): #expect(same(vtg.course, out.course) || out.course == nil, "\(sentence)")
        case .gsa, .gst: break
        }
    }
}
