#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What keeps a loop from being made.
public enum EventLoopError: Error, Equatable, Sendable {
    /// No pipe to be had; `errno` says why.
    case noPipe(errno: Int32)
    /// No thread to be had; `errno` says why.
    case noThread(errno: Int32)
}

/// A pipe that wakes a loop up: both ends non-blocking and closed on exec.
final class Pipe: Sendable {
    let reading: Int32
    let writing: Int32

    init() throws(EventLoopError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .noPipe(errno: errno) }
        (reading, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(reading)
        close(writing)
    }

    func signal() {
        var byte: UInt8 = 0
        _ = unsafe write(writing, &byte, 1)
    }

    func drain() {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        while unsafe read(reading, &bytes, 32) == 32 {}
    }
}
