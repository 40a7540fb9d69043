import Foundation
import Synchronization
import Testing

@testable import FixcastTestKit

/// A client of the link that keeps what it receives.
private final class Client: Sendable {
    private struct State {
        var received: [UInt8] = []
        var ending: Int32?
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    init(_ port: UInt16) throws { descriptor = try #require(LoopbackSocket.connect(port)) }

    deinit { close(descriptor) }

    var text: String { state.withLock { String(decoding: $0.received, as: UTF8.self) } }
    var count: Int { state.withLock { $0.received.count } }
    /// How the connection ended; 0 is FIN.
    var ending: Int32? { state.withLock { $0.ending } }

    func send(_ text: String) async -> Bool {
        await eventually { unsafe Foundation.send(descriptor, text, text.utf8.count, LoopbackSocket.noSignal) > 0 }
    }

    func finish() { _ = shutdown(descriptor, LoopbackSocket.noMoreWrites) }

    /// Reads what is there until `condition` holds.
    func reads(seconds: Double = 20, until condition: @Sendable (Client) -> Bool) async -> Bool {
        await eventually(seconds: seconds) {
            state.withLock { state in
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
                if count > 0 {
                    state.received += bytes[..<count]
                } else if count == 0 {
                    state.ending = 0
                } else if errno != EAGAIN, errno != ENOTCONN, errno != EINTR {
                    state.ending = errno
                }
            }
            return condition(self)
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct FaultyLinkTests {
    private let server: LineServer
    private let link: FaultyLink

    init() throws {
        server = try LineServer(greeting: "welcome")
        link = try FaultyLink(to: server.port)
    }

    @Test func aWholeLinkPassesBothWaysForSeveralAtOnce() async throws {
        let clients = try (0..<3).map { _ in try Client(link.port) }
        for client in clients { #expect(await client.reads { $0.text == "welcome" }) }
        #expect(server.connected == 3)
        let counters = await link.counters
        #expect(counters == .init(accepted: 3, connected: 3, toServer: 0, toClient: 21))
        #expect(await clients[2].send("hello"))
        #expect(await eventually { server.received == "hello" })
        #expect(await link.counters.toServer == 5)
    }

    @Test func muchArrivesWholeAndInOrder() async throws {
        let client = try Client(link.port)
        #expect(await client.reads { $0.text == "welcome" })
        let lines = (0..<100_000).map { "line \($0)\n" }.joined()
        let server = server
        Thread.detachNewThread { server.send(lines) }
        #expect(await client.reads(seconds: 60) { $0.count >= 7 + lines.utf8.count })
        #expect(client.text == "welcome" + lines)
    }

    @Test(arguments: [FaultyLink.Ending.reset, .finish])
    func aCutEndsBothEndsAndTheNextConnectionStands(ending: FaultyLink.Ending) async throws {
        let client = try Client(link.port)
        #expect(await client.reads { $0.text == "welcome" })
        await link.cut(ending)
        #expect(await client.reads { $0.ending != nil })
        #expect(client.ending == (ending == .reset ? ECONNRESET : 0))
        #expect(await eventually { server.connected == 0 })
        #expect(await link.counters.connected == 0)
        let next = try Client(link.port)
        #expect(await next.reads { $0.text == "welcome" })
    }

    @Test func whatAStalledLinkHoldsGoesOnWhenItIsHealed() async throws {
        let client = try Client(link.port)
        #expect(await client.reads { $0.text == "welcome" })
        await link.stall(.toClient)
        server.send(" late")
        #expect(await client.send("hello"))
        #expect(await eventually { server.received == "hello" }, "the other way is open")
        // It is accepted and learns nothing.
        let second = try Client(link.port)
        #expect(await eventually { server.connected == 2 })
        #expect(await !client.reads(seconds: 0.3) { $0.text != "welcome" })
        await link.heal()
        #expect(await client.reads { $0.text == "welcome late" })
        #expect(await second.reads { $0.text == "welcome" })
    }

    @Test func aStalledLinkDoesNotNoticeThatAnEndIsGone() async throws {
        await link.stall()
        let client = try Client(link.port)
        #expect(await eventually { server.connected == 1 })
        #expect(await !client.reads(seconds: 0.3) { $0.count > 0 })
        server.drop()
        #expect(await !client.reads(seconds: 0.3) { $0.ending != nil })
        await link.heal()
        #expect(await client.reads { $0.ending != nil })
    }

    @Test func whatWasHeldIsLostWithTheConnection() async throws {
        let client = try Client(link.port)
        #expect(await client.reads { $0.text == "welcome" })
        await link.stall(.toClient)
        server.send(" lost")
        #expect(await eventually { server.connected == 1 })
        await link.cut(.reset)
        await link.heal()
        #expect(await client.reads { $0.ending != nil })
        #expect(client.text == "welcome")
    }

    @Test func aRefusingLinkResetsAtOnce() async throws {
        await link.refuse()
        let client = try Client(link.port)
        #expect(await client.reads { $0.ending != nil })
        #expect(server.accepted == 0)
        await link.heal()
        let next = try Client(link.port)
        #expect(await next.reads { $0.text == "welcome" })
        #expect(await link.counters.accepted == 1)
    }

    @Test func aDelayedLinkIsLateAndKeepsTheOrder() async throws {
        let client = try Client(link.port)
        #expect(await client.reads { $0.text == "welcome" })
        await link.delay(.milliseconds(300))
        let start = ContinuousClock.now
        server.send(" one")
        server.send(" two")
        #expect(await client.reads { $0.text == "welcome one two" })
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test func aClosedEndIsToldToTheOther() async throws {
        let client = try Client(link.port)
        #expect(await client.reads { $0.text == "welcome" })
        client.finish()
        #expect(await eventually { server.connected == 0 })
        #expect(await client.reads { $0.ending == 0 })
    }

    @Test func withoutAServerEachConnectionIsReset() async throws {
        server.stop()
        let client = try Client(link.port)
        #expect(await client.reads { $0.ending == ECONNRESET })
        let next = try LineServer(port: server.port, greeting: "back")
        let second = try Client(link.port)
        #expect(await second.reads { $0.text == "back" })
        next.stop()
    }
}
