internal import EventLoop
internal import Foundation

/// A TCP proxy on 127.0.0.1 whose link fails when it is told to: it stands between a client and a server, on a thread of
/// its own, and serves several connections.
///
/// What was accepted from one end and not delivered to the other is lost when a connection is cut, as on a real link.
public final class FaultyLink: Sendable {
    /// How connections are ended.
    public enum Ending: Sendable {
        /// Both ends are told by RST, and what was on the way is lost.
        case reset
        /// Both ends are told by FIN, and what was on the way is lost.
        case finish
    }

    /// Which way bytes go.
    public struct Direction: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let toServer = Direction(rawValue: 1)
        public static let toClient = Direction(rawValue: 2)
        public static let both: Direction = [.toServer, .toClient]
    }

    /// What passed and what stands.
    public struct Counters: Equatable, Sendable {
        /// Connections since the beginning; refused ones do not count.
        public var accepted = 0
        /// Connections that stand now.
        public var connected = 0
        /// Bytes delivered to the server.
        public var toServer = 0
        /// Bytes delivered to the client.
        public var toClient = 0
    }

    /// Where it listens.
    public let port: UInt16
    private let thread: LoopThread
    private let core: FaultyLinkCore

    /// - Parameter server: the port on 127.0.0.1 that connections lead to; nobody need listen there yet.
    public init(to server: UInt16) throws {
        let thread = try LoopThread()
        let (listener, port) = try LoopbackSocket.listen(0)
        let core = FaultyLinkCore(loop: thread.loop, listener: listener, server: server)
        self.thread = thread
        self.core = core
        self.port = port
        thread.loop.execute { core.start() }
    }

    deinit {
        // The loop stops after what is enqueued.
        thread.loop.execute { [core] in core.close() }
    }

    /// Ends all connections; new ones are welcome.
    public func cut(_ ending: Ending = .reset) async {
        await thread.run { [core] in core.cut(ending) }
    }

    /// Resets each new connection at once, until ``heal()``.
    public func refuse() async {
        await thread.run { [core] in core.isRefusing = true }
    }

    /// Accepts, and delivers nothing that way, until ``heal()``; then what was held goes on.
    public func stall(_ direction: Direction = .both) async {
        await thread.run { [core] in core.stall(direction) }
    }

    /// Delivers what comes from now on so much later, both ways.
    public func delay(_ time: Duration) async {
        await thread.run { [core] in core.delay = time }
    }

    /// The link is whole again: nothing refused, stalled or delayed.
    public func heal() async {
        await thread.run { [core] in core.heal() }
    }

    public var counters: Counters {
        get async { await thread.run { [core] in core.counters } }
    }
}
