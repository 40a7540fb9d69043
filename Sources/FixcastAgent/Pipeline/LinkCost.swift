internal import MessageTransport

/// What a message costs on the link, as a mobile operator counts it: an estimate, the same for every network.
///
/// Each way a TCP segment (52 bytes of IPv4 and TCP headers with timestamps) and, with TLS, a record (22 bytes); an
/// acknowledged publish is three segments: the message, its PUBACK, and TCP's own acknowledgement of that.
struct LinkCost: Equatable, Sendable {
    private static let segment = 52
    private static let record = 22
    /// Fixed header, topic length, packet identifier, empty properties.
    private static let publishHeader = 9
    private static let acknowledgement = 4

    let usesTLS: Bool

    private var perMessage: Int { Self.segment + (usesTLS ? Self.record : 0) }

    func publish(_ message: OutgoingMessage) -> Int {
        let packet = Self.publishHeader + message.topic.utf8.count + message.payload.count
        guard message.qos == .atLeastOnce else { return packet + perMessage + Self.segment }
        return packet + Self.acknowledgement + 2 * perMessage + Self.segment
    }

    func receive(_ message: IncomingMessage) -> Int {
        publish(OutgoingMessage(topic: message.topic, payload: message.payload, qos: message.qos))
    }

    /// PINGREQ and PINGRESP.
    var ping: Int { 4 + 2 * perMessage + Self.segment }

    /// TCP's and TLS's handshakes with certificates on both sides, CONNECT with its will, and CONNACK.
    var connect: Int { usesTLS ? 6500 : 900 }
}
