internal import EventLoop
internal import Foundation

/// One connection through a ``FaultyLink``: two sockets and what is on the way between them, each way. Confined to the
/// loop's thread.
final class FaultyConnection {
    /// One way.
    private struct Way {
        let direction: FaultyLink.Direction
        let source: Int32
        let sink: Int32
        /// What was read, with the instant at which it may be delivered.
        var held: [(due: Int64, bytes: ArraySlice<UInt8>)] = []
        var heldBytes = 0
        /// The source will send no more.
        var isFinished = false
        /// The sink was told so.
        var isClosed = false
    }

    private static let capacity = 1 << 18
    private unowned let core: FaultyLinkCore
    private let client: Int32
    private let server: Int32
    private var ways: [Way]
    private var watches: [Int32: Watch] = [:]
    private var timer: LoopTimer?
    private var isOver = false
    /// The connection to the server stands once its socket can be written to.
    private var isEstablished = false

    init(_ core: FaultyLinkCore, client: Int32, server: Int32) {
        self.core = core
        self.client = client
        self.server = server
        ways = [
            Way(direction: .toServer, source: client, sink: server),
            Way(direction: .toClient, source: server, sink: client),
        ]
    }

    func end(_ ending: FaultyLink.Ending) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        for watch in watches.values { watch.cancel() }
        watches = [:]
        LoopbackSocket.close(client, ending)
        LoopbackSocket.close(server, ending)
        core.ended(self)
    }

    /// Watches for what may go on now, and sets the timer for what may later.
    func update() {
        guard !isOver else { return }
        var interests: [Int32: Readiness] = [client: [], server: isEstablished ? [] : .write]
        var due = Int64.max
        for way in ways where !core.stalled.contains(way.direction) {
            if !way.isFinished, way.heldBytes < Self.capacity, isEstablished {
                interests[way.source]?.insert(.read)
            }
            if let first = way.held.first {
                if first.due <= EventLoop.now() {
                    interests[way.sink]?.insert(.write)
                } else {
                    due = min(due, first.due)
                }
            }
        }
        for (descriptor, interest) in interests { watch(descriptor, interest) }
        timer?.cancel()
        timer = due < .max ? core.loop.schedule(at: due) { [unowned self] in update() } : nil
    }

    /// A socket of which nothing is wanted is not watched at all: a stalled link does not notice that an end is gone.
    private func watch(_ descriptor: Int32, _ interest: Readiness) {
        if interest.isEmpty {
            watches.removeValue(forKey: descriptor)?.cancel()
        } else if let watch = watches[descriptor] {
            watch.interest = interest
        } else {
            watches[descriptor] = core.loop.watch(descriptor, for: interest) { [unowned self] ready in
                serve(descriptor, ready)
            }
        }
    }

    private func serve(_ descriptor: Int32, _ ready: Readiness) {
        if descriptor == server, !isEstablished {
            guard LoopbackSocket.error(of: server) == 0 else { return end(.reset) }
            isEstablished = true
            return update()
        }
        for index in ways.indices where !isOver && !core.stalled.contains(ways[index].direction) {
            if ways[index].sink == descriptor { deliver(index) }
            if !isOver, ways[index].source == descriptor, !ready.isDisjoint(with: [.read, .failed]) { take(index) }
        }
        if ways.allSatisfy(\.isClosed) { return end(.finish) }
        update()
    }

    private func take(_ index: Int) {
        guard !ways[index].isFinished, ways[index].heldBytes < Self.capacity else { return }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe recv(ways[index].source, &bytes, bytes.count, 0)
        if count > 0 {
            let due = core.delay == .zero ? 0 : EventLoop.now() + Int64(core.delay / .nanoseconds(1))
            ways[index].held.append((due, bytes[..<count]))
            ways[index].heldBytes += count
        } else if count == 0 {
            ways[index].isFinished = true
        } else if errno != EAGAIN, errno != EINTR {
            return end(.reset)
        }
        deliver(index)
    }

    private func deliver(_ index: Int) {
        while let first = ways[index].held.first, first.due <= EventLoop.now() {
            let count = unsafe first.bytes.withUnsafeBytes { bytes in
                unsafe send(ways[index].sink, bytes.baseAddress, bytes.count, LoopbackSocket.noSignal)
            }
            guard count > 0 else {
                if errno != EAGAIN, errno != EINTR { end(.reset) }
                return
            }
            ways[index].heldBytes -= count
            if ways[index].direction == .toServer {
                core.counters.toServer += count
            } else {
                core.counters.toClient += count
            }
            if count == first.bytes.count {
                ways[index].held.removeFirst()
            } else {
                ways[index].held[0].bytes = first.bytes.dropFirst(count)
            }
        }
        if ways[index].isFinished, ways[index].held.isEmpty, !ways[index].isClosed {
            ways[index].isClosed = true
            _ = shutdown(ways[index].sink, LoopbackSocket.noMoreWrites)
        }
    }
}
