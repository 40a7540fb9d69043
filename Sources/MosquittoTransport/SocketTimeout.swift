#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension MosquittoConfiguration {
    /// Nanoseconds after which a connection ends whose peer's system acknowledges nothing of what was sent: one and a half
    /// keep alives, when a broker gives a client up too (MQTT 5, 3.1.2.10), or the time for an acknowledgement.
    var userTimeout: Int64 {
        keepAlive == 0 ? acknowledgeTimeout : min(acknowledgeTimeout, Int64(keepAlive) * 1_500_000_000)
    }
}

/// How long TCP sends again into silence: else a quarter of an hour and more, in which a half-open link stays.
enum SocketTimeout {
    /// Sets it where the system has TCP_USER_TIMEOUT (RFC 5482), rounded up to milliseconds. A socket that refuses it keeps
    /// the system's own: the ping and the acknowledgement time out all the same.
    static func set(_ nanoseconds: Int64, on socket: Int32) {
        #if canImport(Glibc) || canImport(Musl)
        guard socket >= 0 else { return }
        var milliseconds = UInt32(clamping: (nanoseconds + 999_999) / 1_000_000)
        _ = unsafe setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<UInt32>.size))
        #endif
    }
}
