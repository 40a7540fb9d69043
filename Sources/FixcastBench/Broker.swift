#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A private mosquitto on a free port of the loopback interface, ended with the value.
struct Broker: ~Copyable {
    let port: UInt16
    private var process: ChildProcess

    init(in directory: String) throws(BenchmarkError) {
        for _ in 1...5 {
            let port = try freePort()
            // A limit of queued messages would drop what the subscriber has not taken yet.
            var lines = [
                "listener \(port) 127.0.0.1", "allow_anonymous true", "max_queued_messages 0", "log_type error",
            ]
            // Started by root it would become a user who cannot read this directory.
            if geteuid() == 0 { lines.append("user root") }
            try Files.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "\(directory)/mosquitto.conf")
            var process = try ChildProcess(
                [Broker.program, "-c", "\(directory)/mosquitto.conf"], log: "\(directory)/mosquitto.log")
            let deadline = Clock.now() + 10
            while Clock.now() < deadline, process.isRunning {
                if isListening(port) {
                    self.port = port
                    self.process = process
                    return
                }
                Clock.sleep(milliseconds: 20)
            }
        }
        throw BenchmarkError("mosquitto does not start:\n\(Files.text("\(directory)/mosquitto.log"))")
    }

    /// Debian puts it where not every user's PATH leads.
    private static var program: String {
        unsafe access("/usr/sbin/mosquitto", X_OK) == 0 ? "/usr/sbin/mosquitto" : "mosquitto"
    }
}

private func withLoopbackSocket<Result>(
    _ port: UInt16, _ body: (Int32, UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
) -> Result {
    #if os(Linux)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body(descriptor, $0, &length) }
    }
}

private func isListening(_ port: UInt16) -> Bool {
    unsafe withLoopbackSocket(port) { descriptor, address, length in
        unsafe connect(descriptor, address, length) == 0
    }
}

private func freePort() throws(BenchmarkError) -> UInt16 {
    let port: UInt16? = unsafe withLoopbackSocket(0) { descriptor, address, length in
        guard unsafe bind(descriptor, address, length) == 0, unsafe getsockname(descriptor, address, &length) == 0
        else { return nil }
        return unsafe UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 2, as: UInt16.self).byteSwapped
    }
    guard let port else { throw .system("no free port") }
    return port
}
