#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Where a recording is written: each piece at once, so that a power cut takes little.
final class RecordingFile {
    /// The system call that failed, and why.
    struct Failure: Error, Equatable {
        var errno: Int32

        var reason: String {
            guard let text = unsafe strerror(errno) else { return "error \(errno)" }
            return unsafe String(cString: text)
        }
    }

    private let descriptor: Int32
    private let isOwn: Bool

    /// The standard output.
    init() { (descriptor, isOwn) = (STDOUT_FILENO, false) }

    /// A file for its owner alone, for it holds where somebody was.
    init(path: String, overwrites: Bool) throws(Failure) {
        let mode = overwrites ? O_TRUNC : O_EXCL
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0o600)
        isOwn = true
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            _ = fchmod(descriptor, 0o600)
        }
    }

    deinit { if isOwn, descriptor >= 0 { close(descriptor) } }

    func write(_ bytes: [UInt8]) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                // Whoever has the other end made it non-blocking; the source waits meanwhile.
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&writable, 1, -1)
            } else if errno != EINTR {
                throw Failure(errno: errno)
            }
        }
    }

    /// Makes sure of what was written, where that means anything.
    func finish() throws(Failure) {
        if isOwn, fsync(descriptor) != 0, errno != EINVAL, errno != EROFS { throw Failure(errno: errno) }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
