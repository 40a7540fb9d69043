internal import Foundation
internal import Synchronization

/// A real gpsd on a free loopback port, fed over TCP with whatever sentences a test writes.
public final class GPSDaemon: Sendable {
    public let port: UInt16
    private let source: LineServer
    private let directory: TemporaryDirectory
    private let child: Mutex<ChildProcess>

    /// Starts it and waits until it listens and has opened its source.
    public init() async throws {
        directory = try TemporaryDirectory()
        source = try LineServer()
        // Between being found free and being listened on, a port may be taken by somebody else: then another one.
        for attempt in 1... {
            let port = try LoopbackPort.free()
            let child = try Self.start(port, source, directory)
            if await Self.isReady(child, port, source, after: attempt - 1) {
                self.port = port
                self.child = Mutex(child)
                return
            }
            child.kill()
            if attempt == 3 { throw NotListening(log: child.standardError) }
        }
        fatalError("not reached")
    }

    private static func start(
        _ port: UInt16, _ source: LineServer, _ directory: TemporaryDirectory
    ) throws -> ChildProcess {
        try ChildProcess(
            "gpsd", ["-N", "-n", "-S", "\(port)", "tcp://127.0.0.1:\(source.port)"], directory: directory)
    }

    private static func isReady(
        _ child: ChildProcess, _ port: UInt16, _ source: LineServer, after accepted: Int
    ) async -> Bool {
        _ = await eventually(seconds: 20) {
            (source.accepted > accepted && source.connected > 0 && LoopbackPort.isOpen(port)) || !child.isRunning
        }
        return child.isRunning
    }

    /// Lets the receiver say these sentences.
    public func feed(_ sentences: String) { source.send(sentences) }

    /// The receiver goes away; gpsd says so and does not look for it again.
    public func unplug() { source.stop() }

    /// Ends gpsd at once and waits until it is gone.
    public func kill() { child.withLock { $0 }.kill() }

    /// Starts gpsd again on the same port, after ``kill()``.
    public func restart() async throws {
        let accepted = source.accepted
        let next = try Self.start(port, source, directory)
        child.withLock { $0 = next }
        guard await Self.isReady(next, port, source, after: accepted) else {
            throw NotListening(log: next.standardError)
        }
    }

    public struct NotListening: Error, CustomStringConvertible {
        let log: String
        public var description: String { "gpsd does not listen; it said:\n\(log)" }
    }
}
