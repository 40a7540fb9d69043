import FleetWire
import Positioning
import Testing

@Suite struct HealthJSONTests {
    private func sample() throws -> HealthMessage {
        var message = HealthMessage(
            vehicle: try VehicleID("van-042"), instance: "k3f9a2", boot: 17, last: 4711,
            time: UTCInstant(milliseconds: 1_796_040_000_000), uptime: 3600.5, version: "0.1.0")
        message.fix = .threeD
        message.satellites = 11
        message.queue = .init(reports: 3, oldest: 12.5, dropped: 1)
        message.rejected = [.init(rule: "stale", count: 2), .init(rule: "jump", count: 1)]
        message.sent = .init(live: 4000, track: 711, bytes: 1_234_567)
        message.link = .init(connects: 2, lost: 1, roundTrip: 0.25)
        message.budget = .init(perDay: 5_000_000, used: 4_000_000, factor: 4, isExhausted: false)
        message.cpu = 12.25
        message.resident = 7_000_000
        return message
    }

    @Test func everythingReadsBack() throws {
        var message = try sample()
        var bytes: [UInt8] = []
        HealthJSON.encode(message, into: &bytes)
        #expect(try HealthJSON.decode(bytes) == message)
        message.budget?.isExhausted = true
        bytes = []
        HealthJSON.encode(message, into: &bytes)
        #expect(try HealthJSON.decode(bytes) == message)
    }

    @Test func whatIsNotKnownIsLeftOut() throws {
        let message = HealthMessage(
            vehicle: try VehicleID("v"), instance: "a", boot: 1, last: 0, time: nil, uptime: 1, version: "0.1.0")
        var bytes: [UInt8] = []
        HealthJSON.encode(message, into: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"v":1,"vehicle":"v","inst":"a","boot":1,"last":0,"up":1,"version":"0.1.0"}"#)
        #expect(try HealthJSON.decode(bytes) == message)
    }

    @Test(arguments: [
        (#"{"v":1}"#, WireError.Code.missing), (#"{"v":1,"vehicle":"a b","inst":"a","boot":1}"#, .value),
        (#"{"v":3,"vehicle":"a"}"#, .version), (#"{"v":1,"queue":5}"#, .type), ("", .empty),
    ])
    func aDamagedOneIsRefused(text: String, code: WireError.Code) {
        #expect { try HealthJSON.decode(Array(text.utf8)) } throws: { ($0 as? WireError)?.code == code }
    }
}
