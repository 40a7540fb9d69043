/// Where a broker listens: `mqtt://host[:port]` (1883) or, with TLS, `mqtts://host[:port]` (8883).
public struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    public var host: String
    public var port: UInt16
    public var usesTLS: Bool

    public init(host: String, port: UInt16, usesTLS: Bool) {
        self.host = host
        self.port = port
        self.usesTLS = usesTLS
    }

    /// Reads a URL; an IPv6 address stands in brackets.
    ///
    /// - Throws: ``BrokerAddressError`` that says what is wrong with `text`, which is never repeated where it could
    ///   hold a password.
    public init(_ text: String) throws(BrokerAddressError) {
        guard let schemeEnd = text.firstRange(of: "://") else { throw .noScheme }
        switch text[..<schemeEnd.lowerBound].lowercased() {
        case "mqtt", "tcp": usesTLS = false
        case "mqtts", "ssl", "tls": usesTLS = true
        case let other: throw .unknownScheme(other)
        }
        var rest = text[schemeEnd.upperBound...]
        if rest.contains("@") { throw .userInAddress }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        if rest.contains(where: { $0 == "/" || $0 == "?" || $0 == "#" }) { throw .pathInAddress }
        let portText: Substring?
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { throw .noHost }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            let after = rest[rest.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else { throw .noHost }
            portText = after.isEmpty ? nil : after.dropFirst()
        } else {
            let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            host = String(parts[0])
            portText = parts.count > 1 ? parts[1] : nil
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { throw .noHost }
        if let portText {
            guard let number = UInt16(portText), number > 0 else { throw .badPort }
            port = number
        } else {
            port = usesTLS ? 8883 : 1883
        }
    }

    public var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(usesTLS ? "mqtts" : "mqtt")://\(name):\(port)"
    }
}

/// What is wrong with a broker's address.
public enum BrokerAddressError: Error, Equatable, Sendable, CustomStringConvertible {
    case noScheme
    case unknownScheme(String)
    case userInAddress
    case pathInAddress
    case noHost
    case badPort

    public var description: String {
        let form = "write mqtts://HOST[:PORT] (TLS) or mqtt://HOST[:PORT]"
        switch self {
        case .noScheme: return "the broker's address has no scheme; \(form)"
        case .unknownScheme(let scheme): return "\"\(scheme)\" is not a scheme of a broker's address; \(form)"
        case .userInAddress:
            return "user and password do not belong in the broker's address; use username and password-file"
        case .pathInAddress: return "a broker's address has no path; \(form)"
        case .noHost: return "the broker's address names no host; \(form)"
        case .badPort: return "what follows the host is no port (1 to 65535); \(form)"
        }
    }
}
