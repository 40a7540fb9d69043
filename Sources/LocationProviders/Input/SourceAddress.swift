/// Where a stream of bytes comes from, as the configuration writes it.
public enum SourceAddress: Equatable, Sendable, CustomStringConvertible {
    /// A serial port by its path; a symbolic link is followed at each opening. Without a rate, it is found out.
    case serial(path: String, baud: BaudRate?)
    /// A server that sends to whoever connects: a name or an address without brackets.
    case tcp(host: String, port: UInt16)
    /// Datagrams that others send to this host: a numeric address of this host (all of them: `0.0.0.0`, or `::` for
    /// both families), or a multicast group.
    case udp(address: String, port: UInt16)
    /// A file, which is read once to its end; or a FIFO, which waits for the next writer, or a character device.
    case file(String)
    /// The standard input, to its end.
    case standardInput

    /// IANA's port for NMEA 0183 over TCP and UDP.
    public static let defaultPort: UInt16 = 10_110

    public var description: String {
        switch self {
        case .serial(let path, nil): "serial:\(path)"
        case .serial(let path, let baud?): "serial:\(path)?baud=\(baud.rawValue)"
        case .tcp(let host, let port): "tcp://\(Self.bracketed(host)):\(port)"
        case .udp(let address, let port): "udp://\(Self.bracketed(address)):\(port)"
        case .file(let path): "file:\(path)"
        case .standardInput: "stdin:"
        }
    }

    /// Whether a host is written as an IPv4 or IPv6 address.
    public static func isNumeric(_ host: String) -> Bool { DatagramSocket.isAddress(host) }

    private static func bracketed(_ host: String) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    }
}
