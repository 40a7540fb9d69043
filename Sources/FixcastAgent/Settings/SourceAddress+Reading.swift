internal import Configuration
internal import LocationProviders
internal import Spelling

extension AgentKeys {
    /// `serial:/dev/ttyUSB0?baud=9600`, `tcp://host:port`, `udp://address:port`, `file:path`, `stdin:`.
    static let sourceFormat = ValueFormat<String>.string.checked("source", example: "serial:/dev/ttyUSB0") {
        text throws(InvalidValue) in
        try SourceAddress(written: text)
    }
}

extension SourceAddress {
    private static let schemes = ["serial", "tcp", "udp", "file", "stdin"]

    fileprivate init(written text: String) throws(InvalidValue) {
        if text == "stdin" || text == "stdin:" {
            self = .standardInput
            return
        }
        guard let colon = text.firstIndex(of: ":") else {
            throw InvalidValue("\"\(text)\" does not say what it is; write \(Self.guess(text))")
        }
        let rest = text[text.index(after: colon)...]
        switch text[..<colon] {
        case "serial": self = try Self.serial(text, rest)
        case "tcp":
            let (host, port) = try Self.hostPort(text, rest, example: "tcp://192.168.1.1:10110")
            self = .tcp(host: host, port: port)
        case "udp":
            let (host, port) = try Self.hostPort(text, rest, example: "udp://0.0.0.0:10110")
            guard Self.isNumeric(host) else {
                throw InvalidValue(
                    "\"\(text)\" needs an address of this host in numbers; write udp://0.0.0.0:\(port) for all of them")
            }
            self = .udp(address: host, port: port)
        case "file":
            let path = rest.hasPrefix("//") ? rest.dropFirst(2) : rest
            guard !path.isEmpty else { throw InvalidValue("names no file; write for example file:/var/log/drive.nmea") }
            self = .file(String(path))
        case let scheme: throw Self.unknown(String(scheme), in: text, rest)
        }
    }

    // MARK: Serial ports

    private static func serial(_ text: String, _ rest: Substring) throws(InvalidValue) -> SourceAddress {
        let mark = rest.lastIndex(of: "?")
        var path = rest[..<(mark ?? rest.endIndex)]
        if path.hasPrefix("//") { path = path.dropFirst(2) }
        guard path.hasPrefix("/"), path.count > 1 else {
            throw InvalidValue("\"\(text)\" names no device by its path; write for example serial:/dev/ttyUSB0")
        }
        if let colon = path.lastIndex(of: ":"), let rate = Int(path[path.index(after: colon)...]),
            BaudRate(rawValue: rate) != nil
        {
            throw InvalidValue("\"\(text)\" has its rate in the path; write serial:\(path[..<colon])?baud=\(rate)")
        }
        guard let mark else { return .serial(path: String(path), baud: nil) }
        return .serial(path: String(path), baud: try baud(rest[rest.index(after: mark)...]))
    }

    private static func baud(_ query: Substring) throws(InvalidValue) -> BaudRate? {
        let parts = query.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "baud" else {
            throw InvalidValue("has \"?\(query)\", and all that may stand there is ?baud=9600, or another rate")
        }
        if parts[1] == "auto" { return nil }
        if let rate = Int(parts[1]), let known = BaudRate(rawValue: rate), String(rate) == parts[1] { return known }
        let rates = BaudRate.allCases.map { String($0.rawValue) }
        let meant = Spelling.nearest(to: String(parts[1]), in: rates).map { "did you mean \($0)? " } ?? ""
        throw InvalidValue(
            "\"\(parts[1])\" is no baud rate; \(meant)It is one of \(rates.joined(separator: ", ")), or left out to be found"
        )
    }

    // MARK: Network

    private static func hostPort(
        _ text: String, _ rest: Substring, example: String
    ) throws(InvalidValue) -> (host: String, port: UInt16) {
        guard rest.hasPrefix("//") else { throw InvalidValue("\"\(text)\" lacks the //; write for example \(example)") }
        let authority = rest.dropFirst(2)
        var (host, port) = (authority, SourceAddress.defaultPort)
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else {
                throw InvalidValue("\"\(text)\" has no port from 1 to 65535; write for example \(example)")
            }
            (host, port) = (authority[..<colon], number)
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard Self.isNumeric(String(host)) else {
                throw InvalidValue(
                    "\"\(text)\" has no IPv6 address in its brackets; write for example tcp://[fe80::1]:10110")
            }
        } else if host.contains(":") {
            throw InvalidValue(
                "\"\(text)\" has an IPv6 address without brackets; write for example tcp://[fe80::1]:10110")
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || "/?#@[]".contains($0) }) else {
            throw InvalidValue("\"\(text)\" names no host; write for example \(example)")
        }
        return (String(host), port)
    }

    // MARK: What was meant

    private static func unknown(_ scheme: String, in text: String, _ rest: Substring) -> InvalidValue {
        if let meant = Spelling.nearest(to: scheme, in: schemes) {
            return InvalidValue("\"\(text)\" begins with no known kind of source; did you mean \(meant):?")
        }
        if UInt16(rest) != nil {
            return InvalidValue("\"\(text)\" does not say what it is; write tcp://\(text) or udp://0.0.0.0:\(rest)")
        }
        return InvalidValue("\"\(text)\" begins with none of serial:, tcp://, udp://, file: and stdin:")
    }

    private static func guess(_ text: String) -> String {
        if text == "-" { return "stdin:" }
        if text.hasPrefix("/dev/") { return "serial:\(text)" }
        if text.contains("/") || text.contains(".") { return "file:\(text)" }
        return "for example serial:/dev/ttyUSB0, tcp://host:10110, udp://0.0.0.0:10110, file:drive.nmea or stdin:"
    }
}
