import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

@Suite struct AvailabilityJSONTests {
    private let vehicle = try! VehicleID("van-042")

    private func encoded(_ message: AvailabilityMessage) -> [UInt8] {
        var bytes: [UInt8] = []
        AvailabilityJSON.encode(message, into: &bytes)
        return bytes
    }

    private func text(_ message: AvailabilityMessage) -> String { String(decoding: encoded(message), as: UTF8.self) }

    private var noFix: AvailabilityMessage {
        AvailabilityMessage(
            vehicle: vehicle, instance: "k3f9a2", boot: 17, connection: 3, last: 4711,
            state: AvailabilityReport(
                availability: .unavailable(.noFix), since: UTCInstant(milliseconds: 1_796_010_070_000), link: .online,
                agent: .running, provider: .open, fix: AvailabilityReport.Fix.none),
            version: "1.0.0")
    }

    @Test func writesTheExampleOfTheContract() {
        #expect(
            text(noFix)
                == #"{"v":1,"vehicle":"van-042","inst":"k3f9a2","boot":17,"conn":3,"last":4711,"available":false,"reason":"noFix","#
                + #""since":"2026-11-30T03:41:10.000Z","link":"online","agent":"running","provider":"open","fix":"none","version":"1.0.0"}"#
        )
    }

    @Test func writesExactlyTheWillOfTheContract() throws {
        let will = AvailabilityMessage.will(vehicle: vehicle, instance: "k3f9a2", boot: 17, connection: 3)
        #expect(
            text(will)
                == #"{"v":1,"vehicle":"van-042","inst":"k3f9a2","boot":17,"conn":3,"available":false,"reason":"linkLost","link":"lost"}"#
        )
        #expect(try AvailabilityJSON.decode(encoded(will)) == will)
        #expect(will.isWill && !noFix.isWill)
    }

    @Test func roundTripsEveryField() throws {
        var birth = noFix
        birth.previous = AvailabilityMessage.PreviousBoot(boot: 16, last: 99, isExact: false)
        birth.until = UTCInstant(milliseconds: 1_796_020_000_001)
        birth.clockOffset = UTCInstant(milliseconds: 1_796_009_000_123)
        #expect(try AvailabilityJSON.decode(encoded(birth)) == birth)
        for reason in ["stopped", "sleeping", "private", "a \"new\" one"] {
            birth.state.availability = .unavailable(UnavailabilityReason(rawValue: reason))
            #expect(try AvailabilityJSON.decode(encoded(birth)) == birth)
        }
        birth.state.availability = .available
        birth.previous?.isExact = true
        birth.state.fix = .ok
        #expect(try AvailabilityJSON.decode(encoded(birth)) == birth)
        let object = try #require(JSONSerialization.jsonObject(with: Data(encoded(birth))) as? [String: Any])
        #expect(object["reason"] == nil && object["available"] as? Bool == true)
        #expect((object["prev"] as? [String: Any])?["exact"] as? Bool == true)
        #expect(abs((object["clockOffset"] as? Double ?? 0) - 1_796_009_000.123) < 1e-6)
    }

    private func decode(_ members: String) throws -> AvailabilityMessage {
        try AvailabilityJSON.decode(
            Array("{\"v\":1,\"vehicle\":\"v\",\"inst\":\"i\",\"boot\":1,\"conn\":1,\(members)}".utf8))
    }

    @Test func toleratesWhatALaterVersionMaySay() throws {
        let message = try decode(
            #""available":false,"reason":"towed","link":"quantum","agent":"x","provider":"y","fix":"z","prev":{"a":1},"extra":[{}],"since":null"#
        )
        #expect(
            message.state
                == AvailabilityReport(
                    availability: .unavailable(UnavailabilityReason(rawValue: "towed")), link: .online))
        #expect(message.previous == nil)
    }

    @Test func aLostLinkIsNeverAvailable() throws {
        #expect(try decode(#""available":true,"link":"lost""#).state.availability == .unavailable(.linkLost))
        #expect(
            try decode(#""available":false"#).state.availability
                == .unavailable(UnavailabilityReason(rawValue: "unknown")))
        #expect(try decode(#""available":false,"reason":"linkLost""#).isWill)
    }

    @Test(arguments: [
        (#""available":"true""#, WireError.Code.type, "available"), (#""reason":"noFix""#, .missing, "available"),
        (#""available":true,"vehicle":"a/b""#, .value, "vehicle"), (#""available":true,"boot":0"#, .value, "boot"),
        (#""available":true,"last":-1"#, .value, "last"), (#""available":true,"since":"today""#, .value, "since"),
        (#""available":true,"v":2"#, .version, "v"), (#""available":true,"prev":[]"#, .type, "prev"),
    ])
    func refuses(members: String, code: WireError.Code, key: String) {
        #expect(throws: WireError(code, in: .availability, key: key)) { try decode(members) }
    }

    @Test func neverTrapsOnMutatedPayloads() {
        var random = SeededGenerator(seed: 11)
        let payload = encoded(noFix)
        var refused = 0
        for _ in 0..<10_000 where (try? AvailabilityJSON.decode(mutate(payload, &random))) == nil { refused += 1 }
        #expect(refused > 1000)
    }
}
