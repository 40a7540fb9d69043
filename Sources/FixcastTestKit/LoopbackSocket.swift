internal import Foundation

/// Non-blocking TCP sockets on 127.0.0.1 that no child inherits.
enum LoopbackSocket {
    /// Listens, on a port of the system's choice where 0 is given.
    static func listen(_ port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        prepare(descriptor)
        var one: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = address(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 && Foundation.listen(descriptor, 64) == 0
                    ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard code == 0 else {
            _ = Foundation.close(descriptor)
            throw POSIXError(.EADDRINUSE)
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Begins to connect; `nil` where that is refused at once.
    static func connect(_ port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { return nil }
        prepare(descriptor)
        let address = address(port)
        let code = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Foundation.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code == 0 || errno == EINPROGRESS { return descriptor }
        _ = Foundation.close(descriptor)
        return nil
    }

    static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var one: Int32 = 1
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    static func close(_ descriptor: Int32, _ ending: FaultyLink.Ending) {
        switch ending {
        case .reset:
            // Closing with a linger time of zero sends RST.
            var linger = Foundation.linger(l_onoff: 1, l_linger: 0)
            _ = unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Foundation.linger>.size))
        case .finish:
            // Closing with unread bytes would send RST.
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while unsafe recv(descriptor, &bytes, bytes.count, 0) > 0 {}
        }
        _ = Foundation.close(descriptor)
    }

    /// How connecting ended: 0, or the system's error.
    static func error(of descriptor: Int32) -> Int32 {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else { return errno }
        return error
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    #if os(Linux)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    static let noSignal = Int32(MSG_NOSIGNAL)
    static let noMoreWrites = Int32(SHUT_WR)
    #else
    private static let stream = SOCK_STREAM
    static let noSignal: Int32 = 0
    static let noMoreWrites = SHUT_WR
    #endif
}
