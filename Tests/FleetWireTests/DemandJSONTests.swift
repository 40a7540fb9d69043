import FleetWire
import Positioning
import Testing

@Suite struct DemandJSONTests {
    func decode(_ text: String) throws -> DemandMessage { try DemandJSON.decode(Array(text.utf8)) }

    @Test func theExampleOfTheContractIsRead() throws {
        let text = #"{"v":1,"accuracy":"high","interval":1,"distance":5,"bound":5,"lease":600}"#
        let message = DemandMessage(
            demand: Demand(accuracy: .high, interval: 1, distance: 5, bound: 5), lease: 600)
        #expect(try decode(text) == message)
        var bytes: [UInt8] = []
        DemandJSON.encode(message, into: &bytes)
        #expect(try DemandJSON.decode(bytes) == message)
    }

    @Test func whatIsNotSaidIsNotWanted() throws {
        let message = try decode(#"{"v":1,"bound":null,"lease":60,"later":true}"#)
        #expect(message == DemandMessage(demand: .none, lease: 60))
        var bytes: [UInt8] = []
        DemandJSON.encode(message, into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"v":1,"lease":60}"#)
        #expect(try DemandJSON.decode(bytes) == message)
    }

    @Test(arguments: [
        (#"{"v":1}"#, WireError.Code.missing), (#"{"lease":60}"#, .missing), (#"{"v":2,"lease":60}"#, .version),
        (#"{"v":1,"lease":0}"#, .value), (#"{"v":1,"lease":60,"bound":-5}"#, .value),
        (#"{"v":1,"lease":60,"accuracy":"best"}"#, .value), (#"{"v":1,"lease":"60"}"#, .type), ("", .empty),
    ])
    func halfADemandIsNone(text: String, code: WireError.Code) {
        #expect { try decode(text) } throws: { ($0 as? WireError)?.code == code }
    }

    @Test func topicsNameTheSubscriber() throws {
        let (root, van) = (try TopicRoot("eu/{vehicle}/gps"), try VehicleID("van"))
        #expect(root.demandFilter(of: van) == "eu/van/gps/demand/+")
        #expect(root.demandTopic(of: van, subscriber: try VehicleID("app-1")) == "eu/van/gps/demand/app-1")
    }
}
