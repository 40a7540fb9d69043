import FixcastTestKit
import Foundation
import MessageTransport
import MosquittoTransport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DurableBrokerTests {
    @Test("with the durable settings what was acknowledged survives the broker's end", arguments: [SIGKILL, SIGTERM])
    func acknowledgedSurvives(signal: Int32) async throws {
        let broker = try await MosquittoBroker.durable()
        let link = try FaultyLink(to: broker.port)
        var configuration = broker.configuration("reader")
        configuration.sessionExpiry = 3600
        configuration.takesUpSession = true
        configuration.address.port = link.port
        let reader = try TransportProbe(configuration)
        reader.start()
        try #require(await reader.isConnected())
        reader.transport.subscribe([Subscription("queue")])
        #expect(await eventually { reader.events.contains(.subscribed(refused: [:])) })
        // Away from the broker, but not gone.
        await link.refuse()
        await link.cut()
        let writer = try TransportProbe(broker.configuration("writer"))
        writer.start()
        try #require(await writer.isConnected())
        for number in UInt8(0)..<200 {
            let message = OutgoingMessage(topic: "queue", payload: [number])
            #expect(await writer.publish(message) == .accepted)
        }
        let state = OutgoingMessage(topic: "state", payload: [7], retain: true)
        #expect(await writer.publish(state) == .acceptedWithoutSubscribers)
        // It acknowledges before it saves, and serves nothing else before it has saved: the last one may be lost.
        _ = await writer.publish(OutgoingMessage(topic: "other", payload: []))
        if signal == SIGKILL { broker.kill() } else { await broker.stop() }
        #expect(!broker.isRunning)
        try await broker.restart()
        await link.heal()
        // What was on its way to the reader may come twice.
        #expect(await eventually { Set(reader.messages.filter { $0.topic == "queue" }.map(\.payload)).count == 200 })
        let late = try TransportProbe(broker.configuration("late"))
        late.start()
        try #require(await late.isConnected())
        late.transport.subscribe([Subscription("state")])
        #expect(await eventually { late.messages.map(\.payload) == [[7]] })
    }

    @Test func aFrozenBrokerThaws() async throws {
        let broker = try await MosquittoBroker.durable()
        let probe = try TransportProbe(broker.configuration("a"))
        probe.start()
        try #require(await probe.isConnected())
        broker.send(SIGSTOP)
        guard case .pending(let id) = probe.transport.publish(OutgoingMessage(topic: "t", payload: [1])) else {
            Issue.record("not pending")
            return
        }
        broker.send(SIGCONT)
        #expect(await eventually { probe.outcome(of: id) == .acceptedWithoutSubscribers })
    }
}
