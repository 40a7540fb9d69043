import MosquittoTransport
import Testing

@Suite struct BrokerAddressTests {
    @Test(arguments: [
        ("mqtt://localhost", "localhost", 1883, false), ("mqtts://broker.example", "broker.example", 8883, true),
        ("mqtt://10.0.0.1:2000/", "10.0.0.1", 2000, false), ("mqtts://[::1]:9", "::1", 9, true),
        ("MQTT://h", "h", 1883, false),
    ])
    func addressesAreRead(text: String, host: String, port: Int, usesTLS: Bool) throws {
        #expect(try BrokerAddress(text) == BrokerAddress(host: host, port: UInt16(port), usesTLS: usesTLS))
    }

    @Test(arguments: [
        ("localhost:1883", BrokerAddressError.noScheme), ("http://h", .unknownScheme("http")),
        ("mqtt://user:secret@h", .userInAddress), ("mqtt://h/path", .pathInAddress), ("mqtt://", .noHost),
        ("mqtt://:1883", .noHost), ("mqtt://h:0", .badPort), ("mqtt://h:70000", .badPort),
        ("mqtt://user:secret", .badPort), ("mqtt://user:secret%40h:1883", .badPort),
        ("mqtt://h:", .badPort), ("mqtt://[::1", .noHost), ("mqtt://a b", .noHost),
    ])
    func whatIsWrongIsSaid(text: String, error: BrokerAddressError) {
        #expect(throws: error) { try BrokerAddress(text) }
        #expect(!error.description.contains("secret"))
    }

    @Test func theDescriptionReadsBack() throws {
        for text in ["mqtt://h:1883", "mqtts://[::1]:8883"] {
            #expect(try BrokerAddress(text).description == text)
        }
    }
}
