internal import Configuration
internal import FleetWire
internal import MosquittoTransport

/// A host and a port.
struct HostPort: Equatable, Sendable {
    var host: String
    var port: UInt16
}

extension AgentKeys {
    static let vehicleFormat = ValueFormat<String>.string.checked("vehicle id", example: "van-042") {
        text throws(InvalidValue) in
        do throws(VehicleID.Problem) {
            return try VehicleID(text)
        } catch {
            throw InvalidValue("cannot be \"\(text)\": \(error)")
        }
    }

    static let topicRootFormat = ValueFormat<String>.string.checked("topic root", example: "fleet/{vehicle}") {
        text throws(InvalidValue) in
        do throws(TopicRoot.Problem) {
            return try TopicRoot(text)
        } catch {
            throw InvalidValue("cannot be \"\(text)\": \(error)")
        }
    }

    static let topicFormat = ValueFormat<String>.string.checked("topic", example: "owntracks/anna/phone") {
        text throws(InvalidValue) in
        guard !text.isEmpty, text.utf8.count <= 65_535, !text.contains(where: { $0 == "+" || $0 == "#" }) else {
            throw InvalidValue(
                "\"\(text)\" is not one topic; write it without + and #, for example owntracks/anna/phone")
        }
        return text
    }

    static let addressFormat = ValueFormat<String>.string.checked("broker address", example: "mqtts://broker.example") {
        text throws(InvalidValue) in
        do throws(BrokerAddressError) {
            return try BrokerAddress(text)
        } catch {
            throw InvalidValue("cannot be read: \(error)")
        }
    }

    /// `host:port`, `host`, `[::1]:port`; the port of gpsd where none is written.
    static let hostPortFormat = ValueFormat<String>.string.checked("address", example: "localhost:2947") {
        text throws(InvalidValue) in
        var host = text[...]
        var port = UInt16(2947)
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]"),
            text.hasPrefix("[") || text.firstIndex(of: ":") == colon
        {
            guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else {
                throw InvalidValue("\"\(text)\" has no port from 1 to 65535; write for example localhost:2947")
            }
            port = number
            host = text[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" || $0 == "[" || $0 == "]" }) else {
            throw InvalidValue("\"\(text)\" names no host; write for example localhost:2947")
        }
        return HostPort(host: String(host), port: port)
    }
}
