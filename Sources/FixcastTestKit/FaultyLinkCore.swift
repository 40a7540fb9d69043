internal import EventLoop
internal import Foundation

/// The connections of a ``FaultyLink``.
///
/// Sendable because it is confined to the loop's thread: ``FaultyLink`` calls it there only.
final class FaultyLinkCore: @unchecked Sendable {
    let loop: EventLoop
    private let listener: Int32
    private let server: UInt16
    private var watch: Watch?
    private var connections: [ObjectIdentifier: FaultyConnection] = [:]
    var isRefusing = false
    private(set) var stalled: FaultyLink.Direction = []
    var delay = Duration.zero
    var counters = FaultyLink.Counters()

    init(loop: EventLoop, listener: Int32, server: UInt16) {
        self.loop = loop
        self.listener = listener
        self.server = server
    }

    func start() {
        watch = loop.watch(listener, for: .read) { [unowned self] _ in accept() }
    }

    func close() {
        cut(.finish)
        watch?.cancel()
        watch = nil
        _ = Foundation.close(listener)
    }

    func cut(_ ending: FaultyLink.Ending) {
        for connection in connections.values { connection.end(ending) }
    }

    func stall(_ direction: FaultyLink.Direction) {
        stalled.formUnion(direction)
        for connection in connections.values { connection.update() }
    }

    func heal() {
        isRefusing = false
        delay = .zero
        stalled = []
        for connection in connections.values { connection.update() }
    }

    func ended(_ connection: FaultyConnection) {
        connections[ObjectIdentifier(connection)] = nil
        counters.connected = connections.count
    }

    private func accept() {
        let client = Foundation.accept(listener, nil, nil)
        guard client >= 0 else { return }
        LoopbackSocket.prepare(client)
        guard !isRefusing, let other = LoopbackSocket.connect(server) else {
            LoopbackSocket.close(client, .reset)
            return
        }
        let connection = FaultyConnection(self, client: client, server: other)
        connections[ObjectIdentifier(connection)] = connection
        counters.accepted += 1
        counters.connected = connections.count
        connection.update()
    }
}
