internal import Foundation
internal import Synchronization

/// A real gpsd on a free loopback port, fed over TCP with whatever sentences a test writes.
public final class GPSDaemon: Sendable {
    public let port: UInt16
    private let sources: [LineServer]
    private let control: ControlSocket
    private let directory: TemporaryDirectory
    private let child: Mutex<ChildProcess>

    /// Starts it and waits until it listens and has opened its devices.
    public init(devices: Int = 1) async throws {
        directory = try TemporaryDirectory()
        sources = try (0..<devices).map { _ in try LineServer() }
        control = ControlSocket(path: directory.file("control").path)
        // Between being found free and being listened on, a port may be taken by somebody else: then another one.
        for attempt in 1... {
            let port = try LoopbackPort.free()
            let child = try Self.start(port, sources, control, directory)
            if await Self.isReady(child, port, sources, after: sources.map { _ in attempt - 1 }) {
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
        _ port: UInt16, _ sources: [LineServer], _ control: ControlSocket, _ directory: TemporaryDirectory
    ) throws -> ChildProcess {
        // With a control socket gpsd goes on without devices; one device alone is tested as it mostly runs.
        let socket = sources.count > 1 ? ["-F", control.path] : []
        return try ChildProcess(
            "gpsd", ["-N", "-n", "-S", "\(port)"] + socket + sources.map(path), directory: directory)
    }

    private static func isReady(
        _ child: ChildProcess, _ port: UInt16, _ sources: [LineServer], after accepted: [Int]
    ) async -> Bool {
        _ = await eventually(seconds: 20) {
            let areOpen = zip(sources, accepted).allSatisfy { $0.accepted > $1 && $0.connected > 0 }
            return (areOpen && LoopbackPort.isOpen(port)) || !child.isRunning
        }
        return child.isRunning
    }

    private static func path(_ source: LineServer) -> String { "tcp://127.0.0.1:\(source.port)" }

    /// What gpsd calls a device.
    public func path(of device: Int) -> String { Self.path(sources[device]) }

    /// Lets a receiver say these sentences.
    public func feed(_ sentences: String, device: Int = 0) { sources[device].send(sentences) }

    /// A receiver goes away; gpsd mostly says so and does not look for it again.
    public func unplug(device: Int = 0) { sources[device].stop() }

    /// Takes a device from gpsd, of several.
    public func remove(device: Int) throws { try control.send("-\(path(of: device))\r\n") }

    /// Gives a device to gpsd again after ``remove(device:)``.
    public func add(device: Int) throws { try control.send("+\(path(of: device))\r\n") }

    /// Ends gpsd at once and waits until it is gone.
    public func kill() { child.withLock { $0 }.kill() }

    /// Starts gpsd again on the same port, after ``kill()``.
    public func restart() async throws {
        let accepted = sources.map(\.accepted)
        let next = try Self.start(port, sources, control, directory)
        child.withLock { $0 = next }
        guard await Self.isReady(next, port, sources, after: accepted) else {
            throw NotListening(log: next.standardError)
        }
    }

    public struct NotListening: Error, CustomStringConvertible {
        let log: String
        public var description: String { "gpsd does not listen; it said:\n\(log)" }
    }
}

/// gpsd's control socket, which takes a line and answers `OK`.
private struct ControlSocket {
    let path: String

    func send(_ line: String) throws {
        #if os(Linux)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let size = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < size else { throw POSIXError(.ENAMETOOLONG) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let code = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
        let line = Array(line.utf8)
        guard unsafe write(descriptor, line, line.count) == line.count else { throw POSIXError(.EPIPE) }
        var answer = [UInt8](repeating: 0, count: 16)
        _ = unsafe read(descriptor, &answer, answer.count)
    }
}
