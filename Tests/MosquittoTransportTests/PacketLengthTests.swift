import MessageTransport
import Testing

@testable import MosquittoTransport

@Suite struct PacketLengthTests {
    @Test(
        "the length of a PUBLISH is that of the standard",
        arguments: [
            (0, 0, false, 7), (0, 1, false, 9), (0, 1, true, 10), (118, 1, true, 128), (119, 1, true, 129),
            (120, 1, true, 131), (16_375, 1, true, 16_386), (16_376, 1, true, 16_388),
        ])
    func lengthOfAPublish(payload: Int, qos: Int, isVersion5: Bool, length: Int) {
        let message = OutgoingMessage(topic: "a/b", payload: [UInt8](repeating: 0, count: payload))
        let quality = qos == 0 ? QualityOfService.atMostOnce : .atLeastOnce
        #expect(message.packetLength(qos: quality, isVersion5: isVersion5) == length)
    }

    @Test func propertiesCount() {
        var message = OutgoingMessage(topic: "a/b", payload: [])
        message.expiry = 60
        message.contentType = "x/y"
        #expect(message.packetLength(qos: .atLeastOnce, isVersion5: true) == 10 + 5 + 6)
        #expect(message.packetLength(qos: .atLeastOnce, isVersion5: false) == 9)
    }
}
