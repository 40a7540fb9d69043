#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

#if canImport(Glibc)
private let stream = Int32(SOCK_STREAM.rawValue)
#else
private let stream = SOCK_STREAM
#endif

/// Where a TCP server listens: the system's own address, as bytes.
struct SocketAddress: Equatable, Sendable {
    private let family: Int32
    private let bytes: [UInt8]

    /// The addresses of a host, in the system's order of preference; empty where it is not known. Blocks.
    static func resolve(host: String, port: UInt16) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = stream
        unsafe hints.ai_flags = AI_NUMERICSERV
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var found: [SocketAddress] = []
        var next = unsafe first
        while let info = unsafe next {
            if let address = unsafe info.pointee.ai_addr {
                let raw = unsafe UnsafeRawBufferPointer(start: address, count: Int(info.pointee.ai_addrlen))
                unsafe found.append(SocketAddress(family: info.pointee.ai_family, bytes: [UInt8](raw)))
            }
            unsafe next = info.pointee.ai_next
        }
        return found
    }

    /// A non-blocking socket on its way to this address.
    ///
    /// - Throws: the system's error number.
    func connect() throws(SocketError) -> Int32 {
        let descriptor = socket(family, stream, 0)
        guard descriptor >= 0 else { throw SocketError(errno: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let result = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return Int32(-1) }
            return unsafe systemConnect(descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
        }
        if result == 0 || errno == EINPROGRESS { return descriptor }
        let error = SocketError(errno: errno)
        close(descriptor)
        throw error
    }
}

/// What the system said.
struct SocketError: Error, Equatable, Sendable {
    var errno: Int32

    /// How the connection attempt of a socket that became writable went; `nil`: well.
    init?(pendingOn descriptor: Int32) {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        if result == 0, code == 0 { return nil }
        self.errno = code
    }

    init(errno: Int32) { self.errno = errno }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    unsafe connect(descriptor, address, length)
}
