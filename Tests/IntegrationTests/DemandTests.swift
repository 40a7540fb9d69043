import FixcastTestKit
import FleetWire
import Foundation
import MessageTransport
import MosquittoTransport
import Positioning
import Testing

/// What subscribers want of a vehicle, and what it may cost.
@Suite(.timeLimit(.minutes(3))) struct DemandTests {
    private func configuration(_ broker: MosquittoBroker, reporting: String = "") -> String {
        """
        vehicle: van-042
        provider: { type: simulator, simulator: { rate: 10/s } }
        reporting:
          moving: { max-error: 0m, min-distance: 5km, max-interval: 10min }
          stationary: { max-error: 0m, min-distance: 5km, max-interval: 10min }
        \(reporting)
        mqtt: { url: "mqtt://127.0.0.1:\(broker.port)", keep-alive: 5s, will-delay: 0s }
        """
    }

    private func health(_ subscriber: Subscriber) -> [HealthMessage] {
        subscriber.payloads("health").compactMap { try? HealthJSON.decode($0) }
    }

    private func stop(_ agent: AgentProcess) async {
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0, "\(agent.log)")
    }

    @Test func aLeaseMakesTheVehicleReportMoreOftenUntilItIsWithdrawn() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await Subscriber(broker)
        let agent = try AgentProcess(configuration(broker), directory: broker.directory)
        #expect(await subscriber.sees { $0.state.availability == .available })
        #expect(await eventually { !subscriber.reports.isEmpty })
        #expect(subscriber.reports.first?.draft.due == 750)
        func publish(_ payload: String, from name: String = "test") {
            subscriber.probe.transport.publish(
                OutgoingMessage(topic: "fleet/van-042/demand/\(name)", payload: Array(payload.utf8)))
        }
        publish(#"{"v":1,"interval":0.2,"lease":600}"#)
        // The limit is a second: no faster, and each report says when the next one is due.
        #expect(await eventually { subscriber.reports.count >= 4 }, "\(agent.log)")
        #expect(subscriber.reports.last?.draft.due == 16)
        publish("")
        publish(#"{"v":1,"interval":3,"lease":600}"#, from: "other")
        #expect(await eventually { subscriber.reports.last?.draft.due == 18 }, "\(agent.log)")
        publish(#"{"v":1,"interval":"fast","lease":3}"#)
        #expect(await agent.says("demand-malformed"))
        await stop(agent)
    }

    @Test func healthIsRetainedAndCounts() async throws {
        let broker = try await MosquittoBroker()
        let agent = try AgentProcess(configuration(broker), directory: broker.directory)
        #expect(await agent.says("the position is known"))
        let subscriber = try await Subscriber(broker)
        #expect(await eventually { !health(subscriber).isEmpty }, "\(agent.log)")
        let message = try #require(health(subscriber).last)
        #expect(message.vehicle.text == "van-042" && message.boot == 1 && message.last >= 1)
        #expect(message.link == .init(connects: 1, lost: 0))
        #expect(message.sent.map { $0.live >= 1 && $0.bytes > 1000 } == true)
        #expect(message.budget == nil)
        #expect(message.resident.map { $0 > 1_000_000 } ?? true)
        await stop(agent)
    }

    @Test func aSpentBudgetLeavesAvailabilityAndSaysSo() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await Subscriber(broker)
        let agent = try AgentProcess(
            configuration(broker, reporting: "  data-budget: 2kB/day"), directory: broker.directory)
        subscriber.probe.transport.publish(
            OutgoingMessage(
                topic: "fleet/van-042/demand/test", payload: Array(#"{"v":1,"interval":1,"lease":600}"#.utf8)))
        #expect(await agent.says("the day's data budget is used up"))
        #expect(await eventually { health(subscriber).last?.budget?.isExhausted == true }, "\(agent.log)")
        await stop(agent)
        #expect(await subscriber.sees { $0.state.availability == .unavailable(.stopped) })
    }
}
