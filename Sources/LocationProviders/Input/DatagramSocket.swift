#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

#if canImport(Glibc)
private let datagram = Int32(SOCK_DGRAM.rawValue)
#else
private let datagram = SOCK_DGRAM
#endif

/// A socket that takes datagrams.
enum DatagramSocket {
    /// The longest datagram that is read whole; of a longer one the end is cut off.
    static let longest = 8192

    /// Who sent a datagram.
    struct Sender: Equatable, Sendable {
        fileprivate var high: UInt64 = 0
        fileprivate var low: UInt64 = 0
        fileprivate var port: UInt16 = 0
        fileprivate var scope: UInt32 = 0

        /// - Parameter number: any that tells it from others.
        init(number: Int = 0) { low = UInt64(number) }
    }

    static func isAddress(_ text: String) -> Bool {
        var v4 = in_addr()
        var v6 = in6_addr()
        return unsafe inet_pton(AF_INET, text, &v4) == 1 || inet_pton(AF_INET6, text, &v6) == 1
    }

    /// Listens at a numeric address of this host, or joins the multicast group that it is.
    ///
    /// - Returns: a non-blocking descriptor that is the caller's to close.
    static func listen(at address: String, port: UInt16) throws(SourceFailure) -> Int32 {
        var v4 = in_addr()
        var v6 = in6_addr()
        if unsafe inet_pton(AF_INET, address, &v4) == 1 { return try listen(v4, port) }
        if unsafe inet_pton(AF_INET6, address, &v6) == 1 { return try listen(v6, port) }
        throw .unknownHost
    }

    private static func listen(_ address: in_addr, _ port: UInt16) throws(SourceFailure) -> Int32 {
        let descriptor = try makeSocket(AF_INET)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr = address
        var group = ip_mreq(imr_multiaddr: address, imr_interface: in_addr(s_addr: 0))
        let isGroup = UInt32(bigEndian: address.s_addr) >> 28 == 0xE
        let isListening =
            (!isGroup || setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1)))
            && bindTo(descriptor, &name)
            && (!isGroup || setOption(descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &group))
        return try checked(descriptor, isListening)
    }

    private static func listen(_ address: in6_addr, _ port: UInt16) throws(SourceFailure) -> Int32 {
        let descriptor = try makeSocket(AF_INET6)
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = port.bigEndian
        name.sin6_addr = address
        var group = ipv6_mreq(ipv6mr_multiaddr: address, ipv6mr_interface: 0)
        let isGroup = unsafe withUnsafeBytes(of: address) { unsafe $0[0] == 0xFF }
        // `::` takes both families.
        let isListening =
            setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, Int32(0))
            && (!isGroup || setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1)))
            && bindTo(descriptor, &name)
            && (!isGroup || setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_JOIN_GROUP, &group))
        return try checked(descriptor, isListening)
    }

    /// Reads one datagram and says from whom; `nil` where there is none.
    static func receive(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) -> (count: Int, sender: Sender)? {
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = unsafe withUnsafeMutablePointer(to: &name) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &length)
            }
        }
        return count < 0 ? nil : (count, Sender(name))
    }

    private static func makeSocket(_ family: Int32) throws(SourceFailure) -> Int32 {
        let descriptor = socket(family, datagram, 0)
        guard descriptor >= 0 else { throw SourceFailure(errno: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        return descriptor
    }

    private static func checked(_ descriptor: Int32, _ isListening: Bool) throws(SourceFailure) -> Int32 {
        if isListening { return descriptor }
        let failure = SourceFailure(errno: errno)
        close(descriptor)
        throw failure
    }

    private static func bindTo<Name>(_ descriptor: Int32, _ name: inout Name) -> Bool {
        unsafe withUnsafeMutablePointer(to: &name) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<Name>.size)) == 0
            }
        }
    }

    private static func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
        var value = value
        return setOption(descriptor, level, option, &value)
    }

    private static func setOption<Value>(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: inout Value
    ) -> Bool {
        unsafe withUnsafeMutablePointer(to: &value) {
            unsafe setsockopt(descriptor, level, option, $0, socklen_t(MemoryLayout<Value>.size)) == 0
        }
    }
}

extension DatagramSocket.Sender {
    fileprivate init(_ name: sockaddr_storage) {
        unsafe withUnsafeBytes(of: name) { bytes in
            switch Int32(name.ss_family) {
            case AF_INET:
                let name = unsafe bytes.load(as: sockaddr_in.self)
                (low, port) = (UInt64(name.sin_addr.s_addr), name.sin_port)
            case AF_INET6:
                let name = unsafe bytes.load(as: sockaddr_in6.self)
                unsafe withUnsafeBytes(of: name.sin6_addr) { address in
                    high = unsafe address.load(as: UInt64.self)
                    low = unsafe address.load(fromByteOffset: 8, as: UInt64.self)
                }
                (port, scope) = (name.sin6_port, name.sin6_scope_id)
            default: break
            }
        }
    }
}
