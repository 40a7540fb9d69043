internal import Foundation
internal import Synchronization

/// A TCP server on 127.0.0.1 for tests: it greets, records what clients send, sends what it is told, and drops them.
///
/// It plays a receiver that gpsd pulls from, and gpsd itself where that must misbehave.
public final class LineServer: Sendable {
    private struct State {
        var listener: Int32 = -1
        /// Each client with what it sent.
        var clients: [(descriptor: Int32, received: [UInt8])] = []
        var accepted = 0
        var greeting = ""
        var isStopping = false
    }

    public let port: UInt16
    private let state: Mutex<State>

    /// Listens, on a port of the system's choice unless one is given.
    ///
    /// - Parameter greeting: sent to each client as it comes.
    public init(port: UInt16 = 0, greeting: String = "") throws {
        let (listener, port) = try LoopbackSocket.listen(port)
        self.port = port
        state = Mutex(State(listener: listener, greeting: greeting))
        Thread.detachNewThread { [weak self] in
            while let self, self.serve() {}
        }
    }

    deinit { stop() }

    /// Clients that came since the beginning.
    public var accepted: Int { state.withLock { $0.accepted } }

    /// Clients connected now.
    public var connected: Int { state.withLock { $0.clients.count } }

    /// What the newest client sent so far.
    public var received: String {
        state.withLock { String(decoding: $0.clients.last?.received ?? [], as: UTF8.self) }
    }

    /// Sends text to all clients.
    public func send(_ text: String) {
        state.withLock { state in
            for client in state.clients { Self.write(text, to: client.descriptor) }
        }
    }

    /// Closes all connections; new clients are welcome.
    public func drop() {
        state.withLock { state in
            for client in state.clients { close(client.descriptor) }
            state.clients = []
        }
    }

    /// Closes everything: the port refuses from now on.
    public func stop() {
        drop()
        state.withLock { state in
            state.isStopping = true
            if state.listener >= 0 { close(state.listener) }
            state.listener = -1
        }
    }

    /// One round of the server's thread; false when it is over.
    private func serve() -> Bool {
        usleep(2000)
        return state.withLock { state in
            guard !state.isStopping else { return false }
            let client = accept(state.listener, nil, nil)
            if client >= 0 {
                LoopbackSocket.prepare(client)
                Self.write(state.greeting, to: client)
                state.clients.append((client, []))
                state.accepted += 1
            }
            state.clients = state.clients.filter { Self.isOpen($0.descriptor) }
            for index in state.clients.indices {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = unsafe read(state.clients[index].descriptor, &bytes, bytes.count)
                if count > 0 { state.clients[index].received += bytes[..<count] }
            }
            return true
        }
    }

    /// Whether the other end is still there; closes ours otherwise.
    private static func isOpen(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, peek)
        if count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)) { return true }
        close(descriptor)
        return false
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = ArraySlice(text.utf8)
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Foundation.send(descriptor, bytes.baseAddress, bytes.count, LoopbackSocket.noSignal)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                usleep(1000)
            } else {
                return
            }
        }
    }
}

#if os(Linux)
private let peek = Int32(MSG_PEEK)
#else
private let peek = MSG_PEEK
#endif
