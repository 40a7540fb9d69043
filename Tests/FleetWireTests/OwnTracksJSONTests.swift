import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

@Suite struct OwnTracksJSONTests {
    func decode(_ text: String) throws -> OwnTracksMessage { try OwnTracksJSON.decode(Array(text.utf8)) }

    @Test func aPositionIsReadWithItsUnits() throws {
        let text = """
            {"acc":15,"alt":440,"batt":46,"cog":271,"conn":"w","lat":54.5,"lon":3.5,"t":"u","tid":"5t","tst":1796040000,
             "vac":2,"vel":90,"_type":"location"}
            """
        var expected = Location(
            coordinate: Coordinate(latitude: 54.5, longitude: 3.5), horizontalAccuracy: 15,
            timestamp: UTCInstant(milliseconds: 1_796_040_000_000))
        expected.altitude = 440
        expected.verticalAccuracy = 2
        expected.course = 271
        expected.speed = 25
        expected.source = "owntracks"
        #expect(try decode(text) == .location(expected))
    }

    @Test(arguments: [#""vel":-1,"cog":-1,"acc":-1,"vac":-1"#, #""vel":0,"cog":0,"acc":0,"vac":0"#, #""vel":null"#])
    func whatTheClientDoesNotKnowIsUnknown(fields: String) throws {
        let read = try decode("{\"_type\":\"location\",\"lat\":54.5,\"lon\":0,\"tst\":1796040000,\(fields)}")
        var expected = Location(
            coordinate: Coordinate(latitude: 54.5, longitude: 0),
            timestamp: UTCInstant(milliseconds: 1_796_040_000_000))
        expected.source = "owntracks"
        #expect(read == .location(expected))
    }

    @Test func otherMessagesAreToldApart() throws {
        #expect(try decode(#"{"_type":"lwt","tst":"1796040000"}"#) == .lastWill)
        #expect(try decode(#"{"_type":"encrypted","data":"x"}"#) == .encrypted)
        #expect(try decode(#"{"_type":"transition","lat":1,"lon":2,"event":"enter"}"#) == .other)
    }

    @Test(arguments: [
        (#"{"lat":54.5,"lon":3.5,"tst":1}"#, WireError.Code.missing, "_type" as String?),
        (#"{"_type":"location","lat":54.5,"tst":1}"#, .missing, "lon"),
        (#"{"_type":"location","lat":54.5,"lon":3.5}"#, .missing, "tst"),
        (#"{"_type":"location","lat":"54,5","lon":3.5,"tst":1796040000}"#, .type, "lat"),
        (#"{"_type":"location","lat":"54.5","lon":3.5,"tst":1796040000}"#, .type, "lat"),
        (#"{"_type":"location","lat":54.5,"lon":3.5,"tst":1796040000000}"#, .value, "tst"),
        (#"{"_type":"location","lat":54.5,"lon":3.5,"tst":"1796040000"}"#, .type, "tst"),
        (#"{"_type":"location","lat":54.5,"lon":3.5,"#, .syntax, nil), ("home", .encoding, nil), ("", .empty, nil),
    ])
    func S04_aDamagedMessageIsNeverHalfRead(text: String, code: WireError.Code, key: String?) {
        #expect(throws: WireError(code, in: .ownTracks, key: key)) { try decode(text) }
    }

    @Test(.enabled(if: RealData.directory != nil, "\(RealData.missing)"))
    func whatOtherConsumersMadeOfRealPayloadsWeMakeToo() throws {
        struct Vector: Decodable {
            struct Expectation: Decodable {
                var fix_time_epoch_s: Int64?
                var lat: Double?
                var lon: Double?
                var altitude_m: Double?
                var accuracy_m: Double?
            }
            var payload: String
            var expect: Expectation
        }
        let text = String(decoding: try RealData.bytes("owntracks/vectors.jsonl"), as: UTF8.self)
        var checked = 0
        for line in text.split(separator: "\n") {
            let vector = try JSONDecoder().decode(Vector.self, from: Data(line.utf8))
            guard let seconds = vector.expect.fix_time_epoch_s, vector.payload.contains("_type") else { continue }
            guard case .location(let location) = try decode(vector.payload) else {
                Issue.record("no position: \(vector.payload)")
                continue
            }
            checked += 1
            #expect(location.timestamp == UTCInstant(milliseconds: seconds * 1000))
            #expect(location.coordinate.latitude == vector.expect.lat)
            #expect(location.coordinate.longitude == vector.expect.lon)
            #expect(location.altitude == vector.expect.altitude_m)
            #expect(location.horizontalAccuracy == vector.expect.accuracy_m)
        }
        #expect(checked > 2)
    }
}
