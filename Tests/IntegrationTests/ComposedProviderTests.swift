import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

/// Providers that the agent composes: another vehicle, a phone, the first of several.
@Suite(.timeLimit(.minutes(3))) struct ComposedProviderTests {
    private func configuration(_ broker: MosquittoBroker, provider: String, checks: String = "") -> String {
        """
        vehicle: van-042
        provider: \(provider)
        checks: { \(checks) }
        reporting: { moving: { max-error: 0m, min-interval: 0s } }
        mqtt: { url: "mqtt://127.0.0.1:\(broker.port)", keep-alive: 5s, will-delay: 0s }
        """
    }

    private func stop(_ agent: AgentProcess) async {
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0, "\(agent.log)")
    }

    @Test func anotherVehiclesPositionsAreReportedAndItsSilenceIsSaid() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await Subscriber(broker)
        let follower = try AgentProcess(
            configuration(broker, provider: "{ type: mqtt, mqtt: { vehicle: trailer-7 } }"), directory: broker.directory
        )
        let trailer = try AgentProcess(
            """
            vehicle: trailer-7
            provider: { type: simulator, simulator: { rate: 5/s } }
            reporting: { moving: { max-error: 0m, min-interval: 0s } }
            mqtt: { url: "mqtt://127.0.0.1:\(broker.port)" }
            """, stateDirectory: "trailer", directory: broker.directory)
        #expect(await subscriber.sees { $0.state.availability == .available }, "\(follower.log)")
        #expect(await eventually { subscriber.reports.count >= 3 })
        #expect(subscriber.reports.allSatisfy { $0.location.source == "simulator" && $0.location.isReliable })
        await stop(trailer)
        #expect(await subscriber.sees { !$0.state.availability.isAvailable }, "\(follower.log)")
        await stop(follower)
    }

    @Test func aPhoneWithOwnTracksIsAProvider() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await Subscriber(broker)
        let agent = try AgentProcess(
            configuration(
                broker, provider: "{ type: mqtt, mqtt: { owntracks: owntracks/anna/phone } }", checks: "max-age: 1min"),
            directory: broker.directory)
        #expect(await agent.says("connected to the broker that positions come from"))
        func publish(_ payload: String) async throws {
            let child = try ChildProcess(
                "mosquitto_pub",
                ["-p", "\(broker.port)", "-q", "1", "-t", "owntracks/anna/phone", "-m", payload],
                directory: broker.directory)
            #expect(await child.wait() == 0)
        }
        // The subscription may still be on its way: the phone goes on publishing, a position a second.
        var second = Int(Date().timeIntervalSince1970) - 20
        for _ in 0..<20 where subscriber.reports.isEmpty {
            second += 1
            try await publish(
                #"{"_type":"location","lat":54.5,"lon":3.5,"acc":12,"vel":36,"cog":90,"tst":\#(second)}"#)
            _ = await eventually(seconds: 1) { !subscriber.reports.isEmpty }
        }
        let location = try #require(subscriber.reports.first?.location, "\(agent.log)")
        #expect(location.coordinate == Coordinate(latitude: 54.5, longitude: 3.5))
        #expect(location.speed == 10 && location.course == 90 && location.horizontalAccuracy == 12)
        #expect(location.source == "owntracks")
        try await publish(#"{"_type":"location","lat":"54.5","lon":3.5,"tst":1}"#)
        #expect(await agent.says("source-malformed"))
        #expect(!agent.messages.contains { $0.contains("54.5") })
        try await publish(#"{"_type":"lwt","tst":1}"#)
        #expect(await subscriber.sees { !$0.state.availability.isAvailable })
        await stop(agent)
    }

    @Test func theFirstOfTwoFallsBackAndReturns() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await Subscriber(broker)
        let gpsd = try await GPSDaemon()
        let agent = try AgentProcess(
            configuration(
                broker,
                provider: """

                      type: first-of
                      fall-back: { after: 2s, return-after: 1s }
                      first-of:
                        - { type: gpsd, gpsd: { address: "127.0.0.1:\(gpsd.port)" } }
                        - { type: simulator, name: made-up, simulator: { rate: 5/s } }
                    """, checks: "max-age: 0s"), directory: broker.directory)
        func comesFromGPSD() async -> Bool {
            await eventually(seconds: 30) {
                gpsd.feed(epochOfNow())
                try? await Task.sleep(nanoseconds: 60_000_000)
                return subscriber.reports.last?.location.source == "gpsd"
            }
        }
        #expect(await eventually { subscriber.reports.last?.location.source == "made-up" }, "\(agent.log)")
        #expect(await comesFromGPSD(), "\(agent.log)")
        gpsd.kill()
        #expect(await eventually { subscriber.reports.last?.location.source == "made-up" }, "\(agent.log)")
        #expect(subscriber.states.last?.state.availability == .available)
        try await gpsd.restart()
        #expect(await comesFromGPSD(), "\(agent.log)")
        #expect(agent.log.contains("positions come from made-up"))
        await stop(agent)
    }
}

/// What a receiver that stands says now.
private func epochOfNow() -> String {
    let parts = Calendar.utc.dateComponents([.year, .month, .day, .hour, .minute, .second, .nanosecond], from: Date())
    let time = String(
        format: "%02d%02d%02d.%02d", parts.hour!, parts.minute!, parts.second!, parts.nanosecond! / 10_000_000)
    let date = String(format: "%02d%02d%02d", parts.day!, parts.month!, parts.year! % 100)
    return nmea("GPGGA,\(time),5430.0000,N,00330.0000,E,1,08,1.1,10.0,M,45.0,M,,")
        + nmea("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,2.0,1.1,1.6")
        + nmea("GPRMC,\(time),A,5430.0000,N,00330.0000,E,0.0,0.0,\(date),,,A")
}

private func nmea(_ body: String) -> String {
    String(format: "$%@*%02X\r\n", body, Int(body.utf8.reduce(0, ^)))
}

extension Calendar {
    fileprivate static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC")!
        return calendar
    }()
}
