internal import MessageTransport

extension OutgoingMessage {
    /// The bytes of the PUBLISH packet that carries this message, header included: what a broker's Maximum Packet Size
    /// is compared with (MQTT 5, 3.2.2.3.6).
    func packetLength(qos: QualityOfService, isVersion5: Bool) -> Int {
        var rest = 2 + topic.utf8.count + payload.count
        if qos != .atMostOnce { rest += 2 }
        if isVersion5 {
            var properties = 0
            if expiry != nil { properties += 5 }
            if let contentType { properties += 3 + contentType.utf8.count }
            rest += properties + lengthOfLength(properties)
        }
        return 1 + lengthOfLength(rest) + rest
    }
}

/// Seven bits a byte.
private func lengthOfLength(_ value: Int) -> Int {
    switch value {
    case ..<128: 1
    case ..<16_384: 2
    case ..<2_097_152: 3
    default: 4
    }
}
