#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Lets a thread that is not the loop's wait for something to happen, for a limited time.
public final class Latch: Sendable {
    private let pipe: Pipe

    /// - Throws: ``EventLoopError/noPipe(errno:)``.
    public init() throws(EventLoopError) { pipe = try Pipe() }

    /// Lets everybody who waits, or ever will, go on. From any thread; idempotent.
    public func open() { pipe.signal() }

    /// Blocks until ``open()`` was called or `milliseconds` passed; returns whether it was.
    public func wait(milliseconds: Int64) -> Bool {
        let end = EventLoop.now() + max(milliseconds, 0) * 1_000_000
        while true {
            let rest = max(end - EventLoop.now(), 0)
            var entry = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&entry, 1, Int32(clamping: (rest + 999_999) / 1_000_000))
            if count > 0 { return true }
            if count == 0, EventLoop.now() >= end { return false }
            if count < 0, errno != EINTR { return false }
        }
    }
}
