import FixcastTestKit
import FleetWire
import Foundation
import MessageTransport
import MosquittoTransport
import Positioning
import Testing

/// What a subscriber that knows only the wire sees of one vehicle.
struct Subscriber {
    let probe: TransportProbe
    let vehicle: String

    init(_ broker: MosquittoBroker, vehicle: String = "van-042", id: String = "subscriber") async throws {
        self.vehicle = vehicle
        probe = try TransportProbe(broker.configuration(id))
        probe.start()
        try #require(await probe.isConnected())
        probe.transport.subscribe([Subscription("fleet/\(vehicle)/#")])
        let subscribed = TransportEvent.subscribed(refused: [:])
        let isSubscribed = await eventually { [probe] in probe.events.contains(subscribed) }
        try #require(isSubscribed)
    }

    func payloads(_ kind: String) -> [[UInt8]] {
        probe.messages.filter { $0.topic == "fleet/\(vehicle)/\(kind)" }.map(\.payload)
    }

    var states: [AvailabilityMessage] { payloads("availability").compactMap { try? AvailabilityJSON.decode($0) } }
    var reports: [Report] { payloads("location").compactMap { try? ReportJSON.decode($0) } }

    func sees(seconds: Double = 20, _ condition: @Sendable (AvailabilityMessage) -> Bool) async -> Bool {
        await eventually(seconds: seconds) { states.last.map(condition) ?? false }
    }
}

/// A configuration for a quick test: simulator, short delays.
func configuration(
    _ broker: MosquittoBroker, version: MosquittoConfiguration.ProtocolVersion = .v5, mqtt: String = ""
) -> String {
    """
    vehicle: van-042
    provider: { type: simulator, simulator: { rate: 5/s } }
    reporting: { moving: { max-error: 0m, min-interval: 0s } }
    mqtt:
      url: "mqtt://127.0.0.1:\(broker.port)"
      version: \(version.rawValue)
      keep-alive: 5s
      will-delay: 0s
    \(mqtt.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
    """
}

private let versions = MosquittoConfiguration.ProtocolVersion.allCases

@Suite(.timeLimit(.minutes(3))) struct AgentTests {
    @Test(arguments: versions)
    func aVehicleIsBornReportsAndStopsCleanly(version: MosquittoConfiguration.ProtocolVersion) async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await Subscriber(broker)
        let agent = try AgentProcess(configuration(broker, version: version), directory: broker.directory)
        #expect(await subscriber.sees { $0.state.availability == .available })
        #expect(await eventually { subscriber.reports.count >= 3 })
        let reports = subscriber.reports
        #expect(reports.map(\.identity.sequence) == Array(1...UInt64(reports.count)))
        #expect(reports.allSatisfy { $0.location.isReliable && $0.location.isSimulated })
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0)
        #expect(await subscriber.sees { $0.state.availability == .unavailable(.stopped) })
        #expect(subscriber.states.last?.last == subscriber.reports.last?.identity.sequence)
        let late = try await Subscriber(broker, id: "late")
        #expect(await late.sees { $0.state.agent == .stopped })
        #expect(await eventually { late.reports.count == 1 })
    }

    @Test func aStrangerThatKnowsOnlyTheWireReadsTheVehicle() async throws {
        let broker = try await MosquittoBroker()
        let agent = try AgentProcess(configuration(broker), directory: broker.directory)
        let stranger = try ChildProcess(
            "mosquitto_sub",
            ["-p", "\(broker.port)", "-t", "fleet/van-042/location", "-C", "3", "-F", "%p"], directory: broker.directory
        )
        #expect(await stranger.wait() == 0)
        for line in stranger.standardOutput.split(separator: "\n") {
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["v"] as? Int == 1)
            #expect(object["boot"] as? Int == 1)
            #expect(abs((object["lat"] as? Double ?? 0) - 52.4) < 1)
            #expect((object["hacc"] as? Double ?? 0) > 0)
            #expect(object["due"] as? Double == 75)
            #expect((object["time"] as? String)?.hasSuffix("Z") == true)
        }
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0)
    }

    @Test("M03: a broker that lost its retained messages has state and position again", arguments: versions)
    func m03BrokerRestart(version: MosquittoConfiguration.ProtocolVersion) async throws {
        let broker = try await MosquittoBroker()
        let agent = try AgentProcess(configuration(broker, version: version), directory: broker.directory)
        #expect(await agent.says("connected to"))
        #expect(await agent.says("the position is known"))
        try await broker.restart()
        let late = try await Subscriber(broker, id: "late")
        #expect(await late.sees { $0.connection >= 2 && $0.state.availability == .available })
        #expect(await eventually { !late.reports.isEmpty })
        // What was made meanwhile arrives too, on either lane, without a gap.
        let count = try #require(late.reports.last?.identity.sequence)
        #expect(await eventually { (late.reports.last?.identity.sequence ?? 0) > count })
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0)
    }

    @Test func afterAnOutageEverySequenceArrives() async throws {
        let broker = try await MosquittoBroker()
        let agent = try AgentProcess(configuration(broker), directory: broker.directory)
        #expect(await agent.says("connected to"))
        broker.kill()
        #expect(await agent.says("warning disconnected"))
        // At least a second's worth of reports is made without a broker.
        let start = Date()
        #expect(await eventually { Date().timeIntervalSince(start) > 1.2 })
        try await broker.restart()
        let subscriber = try await Subscriber(broker)
        #expect(await eventually { subscriber.reports.count >= 3 })
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0)
        let tracked = subscriber.payloads("track").compactMap { try? TrackMessage(payload: $0) }.flatMap(\.reports)
        let seen = Set((subscriber.reports + tracked).map(\.identity.sequence))
        let last = try #require(subscriber.reports.last?.identity.sequence)
        let first = try #require(seen.min())
        #expect(seen == Set(first...last), "no gap within what this subscriber could see")
        // The live lane never goes back.
        let live = subscriber.reports.map(\.identity.sequence)
        #expect(live == live.sorted())
    }

    @Test(
        "M04: SIGTERM ends it with 0, whatever the broker does", arguments: ["absent", "silent", "frozen", "present"])
    func m04Stop(broker state: String) async throws {
        let broker = try await MosquittoBroker()
        let agent: AgentProcess
        switch state {
        case "absent":
            broker.kill()
            agent = try AgentProcess(configuration(broker), directory: broker.directory)
            #expect(await agent.says("cannot be reached"))
        case "silent":
            // A frozen broker accepts the TCP connection and never answers the CONNECT.
            broker.send(SIGSTOP)
            agent = try AgentProcess(configuration(broker), directory: broker.directory)
            #expect(await agent.says("the position is known"))
        default:
            agent = try AgentProcess(configuration(broker), directory: broker.directory)
            #expect(await agent.says("connected to"))
            #expect(await agent.says("the position is known"))
            if state == "frozen" { broker.send(SIGSTOP) }
        }
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0, "\(agent.log)")
        if state == "frozen" { #expect(agent.log.contains("stop-not-acknowledged")) }
        broker.send(SIGCONT)
    }

    @Test("a killed agent is said to be lost by the broker", arguments: versions)
    func killed(version: MosquittoConfiguration.ProtocolVersion) async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await Subscriber(broker)
        let agent = try AgentProcess(configuration(broker, version: version), directory: broker.directory)
        #expect(await subscriber.sees { $0.state.availability == .available })
        agent.child.kill()
        #expect(await subscriber.sees { $0.isWill && $0.boot == 1 && $0.connection == 1 })
        // The next boot is told from the will by its number.
        let next = try AgentProcess(configuration(broker, version: version), directory: broker.directory)
        #expect(await subscriber.sees { $0.boot == 2 && $0.state.availability == .available })
        #expect(subscriber.states.first { $0.boot == 2 }?.previous?.isExact == false)
        next.child.send(SIGTERM)
        #expect(await next.child.wait() == 0)
    }

    @Test(
        "M01: after a takeover the state on the broker is that of the client that lives",
        arguments: versions, ["0s", "60s"])
    func m01Takeover(version: MosquittoConfiguration.ProtocolVersion, expiry: String) async throws {
        let broker = try await MosquittoBroker()
        let settings = configuration(broker, version: version, mqtt: "session-expiry: \(expiry)")
        let old = try AgentProcess(settings, stateDirectory: "old", directory: broker.directory)
        #expect(await old.says("connected to"))
        old.child.send(SIGSTOP)
        let new = try AgentProcess(settings, stateDirectory: "new", directory: broker.directory)
        #expect(await new.says("connected to"))
        let subscriber = try await Subscriber(broker)
        #expect(await subscriber.sees { $0.state.availability == .available })
        let living = try #require(subscriber.states.last?.instance)
        old.child.kill()
        // Whatever the broker publishes of the old client, the last word is the living one's.
        for _ in 0..<3 {
            #expect(await eventually { subscriber.reports.count { $0.identity.instance == living } >= 3 })
            let late = try await Subscriber(broker, id: "late-\(UUID().uuidString.prefix(6))")
            #expect(await late.sees { $0.instance == living && $0.state.availability == .available })
        }
        new.child.send(SIGTERM)
        #expect(await new.child.wait() == 0)
    }

    @Test func aRestoredImageTakesANewInstance() async throws {
        let broker = try await MosquittoBroker()
        let directory = broker.directory
        let subscriber = try await Subscriber(broker)
        for boot: UInt64 in 1...2 {
            let agent = try AgentProcess(configuration(broker), directory: directory)
            #expect(await subscriber.sees { $0.boot == boot && $0.state.availability == .available })
            if boot == 1 {
                try FileManager.default.copyItem(at: directory.file("state"), to: directory.file("image"))
            }
            agent.child.send(SIGTERM)
            #expect(await agent.child.wait() == 0)
        }
        try FileManager.default.removeItem(at: directory.file("state"))
        try FileManager.default.copyItem(at: directory.file("image"), to: directory.file("state"))
        let old = try #require(subscriber.states.last?.instance)
        let agent = try AgentProcess(configuration(broker), directory: directory)
        #expect(await agent.says("restored-image"), "\(agent.log)")
        #expect(await subscriber.sees { $0.instance != old && $0.boot == 1 && $0.state.availability == .available })
        agent.child.kill()
        #expect(await subscriber.sees { $0.instance != old && $0.isWill }, "the will names the new instance")
    }

    @Test("M07: a vehicle without permission says so", arguments: versions)
    func m07Denied(version: MosquittoConfiguration.ProtocolVersion) async throws {
        let directory = try TemporaryDirectory()
        let acl = try directory.write("topic readwrite fleet/other/#\n", to: "acl")
        let broker = try await MosquittoBroker(["acl_file \(acl)"], directory: directory)
        let agent = try AgentProcess(configuration(broker, version: version), directory: directory)
        #expect(
            await agent.says(version == .v5 ? "error denied" : "error birth-not-seen", seconds: 30), "\(agent.log)")
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0)
    }

    @Test func oneStateDirectoryServesOneAgent() async throws {
        let broker = try await MosquittoBroker()
        let first = try AgentProcess(configuration(broker), directory: broker.directory)
        #expect(await first.says("connected to"))
        let second = try AgentProcess(configuration(broker), directory: broker.directory)
        #expect(await second.child.wait() == 69)
        #expect(second.log.contains("another agent"))
    }
}
