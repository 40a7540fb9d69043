import FixcastTestKit
import FleetWire
import Foundation
import MessageTransport
import MosquittoTransport
import Positioning
import Testing

private let subscriberName = try! VehicleID("backend")

private func configuration(_ broker: MosquittoBroker) -> String {
    """
    vehicle: van-042
    provider: { type: simulator, simulator: { rate: 20/s } }
    reporting: { moving: { max-error: 0m, min-interval: 0s } }
    mqtt:
      url: "mqtt://127.0.0.1:\(broker.port)"
      keep-alive: 5s
      backlog: { reports: 0/s, bytes: 0kB/s, start-jitter: 0s }
    """
}

extension Subscriber {
    /// Of both lanes.
    fileprivate var all: [Report] {
        reports + payloads("track").compactMap { try? TrackMessage(payload: $0) }.flatMap(\.reports)
    }

    fileprivate func sequences(boot: UInt64) -> Set<UInt64> {
        Set(all.map(\.identity).filter { $0.boot == boot }.map(\.sequence))
    }

    fileprivate func ask(_ id: String, _ identity: ReportIdentity, _ sequences: ClosedRange<UInt64>) throws {
        var payload: [UInt8] = []
        CommandJSON.encode(
            CommandMessage(
                id: try VehicleID(id),
                action: .resend(instance: identity.instance, boot: identity.boot, sequences: sequences),
                subscriber: subscriberName), into: &payload)
        probe.transport.publish(OutgoingMessage(topic: "fleet/\(vehicle)/command", payload: payload))
    }

    fileprivate func reply(_ id: String) -> ReplyMessage.Outcome? {
        payloads("reply/backend").compactMap { try? ReplyJSON.decode($0) }.last { $0.id.text == id }?.outcome
    }
}

@Suite(.timeLimit(.minutes(3))) struct OutboxAgentTests {
    @Test("M04: what could not be sent before a clean stop is in the outbox and goes out after the next start")
    func m04UnsentReportsSurviveTheStop() async throws {
        let broker = try await MosquittoBroker()
        let text = configuration(broker)
        broker.kill()
        let first = try AgentProcess(text, directory: broker.directory)
        #expect(await first.says("the position is known"))
        let start = Date()
        #expect(await eventually { Date().timeIntervalSince(start) > 2 })
        first.child.send(SIGTERM)
        #expect(await first.child.wait() == 0)
        #expect(first.log.contains(" 0 dropped"))
        try await broker.restart()
        let subscriber = try await Subscriber(broker)
        let second = try AgentProcess(text, directory: broker.directory)
        #expect(await subscriber.sees { $0.boot == 2 && $0.previous?.isExact == true })
        let last = try #require(subscriber.states.last { $0.previous != nil }?.previous?.last)
        #expect(last >= 10)
        #expect(await eventually { subscriber.sequences(boot: 1) == Set(1...last) })
        second.child.send(SIGTERM)
        #expect(await second.child.wait() == 0)
    }

    @Test("after a kill, what was unacknowledged for longer than 2 s arrives, and the birth says how far it came")
    func whatIsOnDiskSurvivesAKill() async throws {
        let broker = try await MosquittoBroker()
        let text = configuration(broker)
        broker.kill()
        let first = try AgentProcess(text, directory: broker.directory)
        #expect(await first.says("the position is known"))
        let start = Date()
        #expect(await eventually { Date().timeIntervalSince(start) > 5 })
        first.child.send(SIGKILL)
        _ = await first.child.wait()
        try await broker.restart()
        let subscriber = try await Subscriber(broker)
        let second = try AgentProcess(text, directory: broker.directory)
        #expect(await subscriber.sees { $0.boot == 2 && $0.previous?.isExact == false })
        let last = try #require(subscriber.states.last { $0.previous != nil }?.previous?.last)
        #expect(last >= 10)
        #expect(await eventually { subscriber.sequences(boot: 1) == Set(1...last) })
        second.child.send(SIGTERM)
        #expect(await second.child.wait() == 0)
    }

    @Test func whoMissedReportsGetsThemAgainFromHistory() async throws {
        let broker = try await MosquittoBroker()
        let text = configuration(broker)
        let first = try AgentProcess(text, directory: broker.directory)
        let early = try await Subscriber(broker, id: "early")
        #expect(await eventually { early.all.count >= 20 })
        first.child.send(SIGTERM)
        #expect(await first.child.wait() == 0)
        let missed = try #require(early.all.last?.identity)

        let subscriber = try await Subscriber(broker)
        let second = try AgentProcess(text, directory: broker.directory)
        #expect(await subscriber.sees { $0.boot == 2 && $0.state.availability == .available })
        try subscriber.ask("a1", missed, 1...15)
        #expect(await eventually { subscriber.reply("a1") != nil })
        #expect(subscriber.reply("a1") == .coming(first: 1, last: 15, gone: SequenceRanges()))
        #expect(await eventually { subscriber.sequences(boot: 1).isSuperset(of: 1...15) })
        // Nobody has a boot that never was.
        var other = missed
        other.boot = 7
        try subscriber.ask("a2", other, 1...5)
        #expect(await eventually { subscriber.reply("a2") != nil })
        guard case .refused(.unknown, _)? = subscriber.reply("a2") else {
            Issue.record("\(String(describing: subscriber.reply("a2")))")
            return
        }
        other.instance = "elsewhere"
        try subscriber.ask("a3", other, 1...5)
        #expect(await eventually { subscriber.reply("a3") != nil })
        #expect(subscriber.reply("a3") == .coming(first: nil, last: nil, gone: SequenceRanges(1..<6)))
        second.child.send(SIGTERM)
        #expect(await second.child.wait() == 0)
    }
}
