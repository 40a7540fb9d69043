internal import Foundation
internal import Synchronization

/// A real mosquitto on a free loopback port in a temporary directory.
public final class MosquittoBroker: Sendable {
    public let port: UInt16
    public let directory: TemporaryDirectory
    private let child: Mutex<ChildProcess>

    /// The settings that make what it acknowledged survive its own end (WIRE.md, Two lanes): all but what it acknowledged
    /// in its last turn, for it acknowledges before it saves; and sessions only of clients that did not start clean.
    ///
    /// - Parameter directory: where it keeps its store.
    public static func durableSettings(in directory: TemporaryDirectory) -> [String] {
        [
            "persistence true", "persistence_location \(directory.path)/", "autosave_interval 1",
            "autosave_on_changes true", "max_queued_messages 1000000",
        ]
    }

    /// A broker with ``durableSettings(in:)``.
    public static func durable(directory: TemporaryDirectory? = nil) async throws -> MosquittoBroker {
        let directory = try directory ?? TemporaryDirectory()
        return try await MosquittoBroker(durableSettings(in: directory), directory: directory)
    }

    /// Starts it and waits until it listens.
    ///
    /// - Parameters:
    ///   - settings: further lines of its configuration; those of the listener come right after it.
    ///   - anonymous: whether clients may come without a name.
    public init(
        _ settings: [String] = [], anonymous: Bool = true, directory: TemporaryDirectory? = nil
    ) async throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        // Between being found free and being listened on, a port may be taken by somebody else: then another one.
        for attempt in 1... {
            let port = try LoopbackPort.lasting()
            let child = try MosquittoBroker.start(port, settings, anonymous, directory)
            if await MosquittoBroker.isListening(child, port) {
                self.port = port
                self.child = Mutex(child)
                return
            }
            if attempt == 3 { throw NotListening(log: child.standardError) }
        }
        fatalError("not reached")
    }

    private static func start(
        _ port: UInt16, _ settings: [String], _ anonymous: Bool, _ directory: TemporaryDirectory
    ) throws -> ChildProcess {
        let lines =
            ["user \(NSUserName())", "listener \(port) 127.0.0.1"] + settings + [
                "allow_anonymous \(anonymous)", "log_dest stderr", "log_type all",
            ]
        let file = try directory.write(lines.joined(separator: "\n") + "\n", to: "mosquitto-\(port).conf")
        return try ChildProcess("mosquitto", ["-c", file], directory: directory)
    }

    /// Its own word counts: somebody else may listen on the port.
    private static func isListening(_ child: ChildProcess, _ port: UInt16) async -> Bool {
        _ = await eventually(seconds: 20) {
            (child.standardError.contains(" running\n") && LoopbackPort.isOpen(port)) || !child.isRunning
        }
        return child.isRunning
    }

    public var log: String { child.withLock { $0 }.standardError }

    /// Sends it a signal: TERM ends it, KILL at once, STOP freezes it, CONT thaws it.
    public func send(_ signal: Int32) { child.withLock { $0 }.send(signal) }

    /// Ends it at once and waits until it is gone.
    public func kill() { child.withLock { $0 }.kill() }

    public var isRunning: Bool { child.withLock { $0 }.isRunning }

    /// Lets it end by itself and waits until it is gone; one that is frozen or does not end within `seconds` is killed.
    public func stop(seconds: Double = 10) async {
        let current = child.withLock { $0 }
        current.send(SIGTERM)
        if await current.wait(seconds: seconds) == nil { current.kill() }
    }

    /// Starts it again on the same port with the same configuration and the same store, if it has one.
    public func restart() async throws {
        kill()
        let file = directory.file("mosquitto-\(port).conf").path
        let next = try ChildProcess("mosquitto", ["-c", file], directory: directory)
        child.withLock { $0 = next }
        guard await MosquittoBroker.isListening(next, port) else { throw NotListening(log: next.standardError) }
    }

    public struct NotListening: Error, CustomStringConvertible {
        let log: String
        public var description: String { "mosquitto does not listen; it said:\n\(log)" }
    }
}
