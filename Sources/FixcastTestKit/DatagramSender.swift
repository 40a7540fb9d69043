internal import Foundation

/// Sends datagrams to a loopback port, as a router that forwards does; each sender has a port of its own.
public final class DatagramSender: Sendable {
    private let descriptor: Int32

    /// - Parameter v6: over IPv6.
    public init(to port: UInt16, v6: Bool = false) throws {
        #if os(Linux)
        descriptor = socket(v6 ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #else
        descriptor = socket(v6 ? AF_INET6 : AF_INET, SOCK_DGRAM, 0)
        #endif
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        guard v6 ? Self.connect6(descriptor, port) : Self.connect4(descriptor, port) else {
            close(descriptor)
            throw POSIXError(.ECONNREFUSED)
        }
    }

    deinit { close(descriptor) }

    /// Sends one datagram; nobody may listen.
    public func send(_ text: String) {
        let bytes = Array(text.utf8)
        // What the system learnt of an earlier one, that nobody listened, is told instead of sending.
        if unsafe write(descriptor, bytes, bytes.count) < 0 { _ = unsafe write(descriptor, bytes, bytes.count) }
    }

    private static func connect4(_ descriptor: Int32, _ port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func connect6(_ descriptor: Int32, _ port: UInt16) -> Bool {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }
}
