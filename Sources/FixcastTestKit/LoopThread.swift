public import EventLoop

/// An event loop served by a thread of its own until the object goes away.
public final class LoopThread: Sendable {
    public let loop: EventLoop

    public init() throws {
        let loop = try EventLoop()
        self.loop = loop
        try BackgroundThread.start { loop.run() }
    }

    deinit { loop.stop() }

    /// Runs `body` on the loop and returns what it returned.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: body()) }
        }
    }
}
