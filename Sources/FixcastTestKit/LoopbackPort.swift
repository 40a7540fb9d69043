internal import Foundation
internal import Synchronization

/// Finds ports on 127.0.0.1 that nobody listens on.
public enum LoopbackPort {
    private static let given = Mutex<Set<UInt16>>([])

    /// A port that was free a moment ago and was given to nobody else in this process.
    public static func free() throws -> UInt16 {
        while true {
            let port = try chosenBySystem()
            if given.withLock({ $0.insert(port).inserted }) { return port }
        }
    }

    /// A free port for a server that goes away and comes back: one that the system gives to no outgoing connection
    /// meanwhile, as it does with those from 32768 up.
    public static func lasting() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = UInt16.random(in: 15_000..<32_000)
            if given.withLock({ !$0.contains(port) }), (try? bound(port)) != nil,
                given.withLock({ $0.insert(port).inserted })
            {
                return port
            }
        }
        throw POSIXError(.EADDRINUSE)
    }

    private static func chosenBySystem() throws -> UInt16 { try bound(0) }

    /// The port after binding to it for a moment.
    private static func bound(_ port: UInt16) throws -> UInt16 {
        #if os(Linux)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard code == 0 else { throw POSIXError(.EADDRINUSE) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Whether somebody listens there.
    public static func isOpen(_ port: UInt16) -> Bool {
        #if os(Linux)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
