internal import EventLoop

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A connected socket, or another open descriptor, with its watch, or the attempt to have one: what a provider must give
/// back to its loop.
///
/// `@unchecked Sendable`: everything is touched on the loop's thread alone; only the reference travels, when a provider
/// is dropped elsewhere and sends the loop to ``close()``.
final class LoopSocket: @unchecked Sendable {
    private(set) var descriptor: Int32 = -1
    private var watch: Watch?
    private var connector: TCPConnector?

    func connect(_ connector: TCPConnector) {
        self.connector = connector
        connector.start()
    }

    func connected(_ descriptor: Int32) {
        connector = nil
        self.descriptor = descriptor
    }

    func connectFailed() { connector = nil }

    /// Calls `handler` while there is something to read; nothing to do without a connection, or twice.
    func watch(on loop: EventLoop, _ handler: @escaping () -> Void) {
        guard descriptor >= 0, watch == nil else { return }
        watch = loop.watch(descriptor, for: .read) { _ in handler() }
    }

    /// A watch for nothing would still be told of a broken connection, again and again: so there is none.
    func unwatch() {
        watch?.cancel()
        watch = nil
    }

    func close() {
        connector?.cancel()
        connector = nil
        unwatch()
        if descriptor >= 0 { closeDescriptor(descriptor) }
        descriptor = -1
    }
}

func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
