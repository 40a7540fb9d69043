#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The standard output, line by line and unbuffered, so that a pipe's reader sees each line at once.
enum StandardOutput {
    enum Failure: Error, Equatable {
        /// Nobody reads any more.
        case closed
        /// The system's error number.
        case system(Int32)
    }

    /// Writes everything.
    static func write(_ bytes: [UInt8]) throws(Failure) {
        let code = writeAll(bytes, to: STDOUT_FILENO)
        guard code != 0 else { return }
        throw code == EPIPE ? .closed : .system(code)
    }
}

/// The standard error, for what is not the answer.
enum StandardError {
    static func write(_ line: String) {
        _ = writeAll(Array((line.hasSuffix("\n") ? line : line + "\n").utf8), to: STDERR_FILENO)
    }
}

/// Returns 0 or the system's error number.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var offset = 0
    while offset < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
        }
        if count >= 0 {
            offset += count
        } else if errno == EAGAIN {
            // Somebody made the shared description non-blocking: wait for room.
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = unsafe poll(&ready, 1, -1)
        } else if errno != EINTR {
            return errno
        }
    }
    return 0
}
