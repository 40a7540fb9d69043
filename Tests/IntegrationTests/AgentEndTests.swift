import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

/// A gpsd log of a drive north, a fix a second.
private func drive(_ count: Int, in directory: TemporaryDirectory) throws -> String {
    let start = Date(timeIntervalSince1970: 1_796_000_000)
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let lines = (0..<count).map { index in
        let time = start.addingTimeInterval(Double(index)).formatted(format)
        return
            "{\"class\":\"TPV\",\"mode\":3,\"time\":\"\(time)\",\"lat\":\(50 + Double(index) * 1e-4),\"lon\":7.5,\"eph\":5}"
    }
    return try directory.write(lines.joined(separator: "\n") + "\n", to: "drive.json")
}

private func replay(_ file: String, _ broker: MosquittoBroker, speed: Int, interval: String = "0s") -> String {
    """
    vehicle: van-042
    provider: { type: replay, replay: { file: "\(file)", speed: \(speed), time: now } }
    reporting: { moving: { max-error: 0m, min-interval: \(interval) } }
    mqtt:
      url: "mqtt://127.0.0.1:\(broker.port)"
      keep-alive: 5s
      acknowledge-timeout: 5s
      backlog: { reports: 0/s, bytes: 0kB/s, start-jitter: 0s }
    """
}

/// `run --until-end` ends when everything is delivered, not before, whatever the broker does meanwhile.
@Suite(.timeLimit(.minutes(3))) struct AgentEndTests {
    @Test func theEndWaitsForABrokerThatIsAway() async throws {
        let broker = try await MosquittoBroker()
        let file = try drive(50, in: broker.directory)
        broker.kill()
        let agent = try AgentProcess(
            replay(file, broker, speed: 10_000), arguments: ["--until-end"], directory: broker.directory)
        #expect(await agent.says("replay-ended"))
        #expect(await agent.says("cannot be reached"))
        #expect(agent.child.isRunning)
        try await broker.restart()
        #expect(await agent.child.wait(seconds: 60) == 0)
        #expect(agent.log.contains(" 0 not delivered, 0 dropped"), "\(agent.log)")
        let late = try await Subscriber(broker)
        #expect(await late.sees { $0.state.agent == .stopped && $0.last == 50 })
        #expect(await eventually { late.reports.last?.identity.sequence == 50 })
    }

    @Test func theEndWaitsForABrokerThatIsFrozen() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await Subscriber(broker)
        let file = try drive(3, in: broker.directory)
        let agent = try AgentProcess(
            replay(file, broker, speed: 1), arguments: ["--until-end"], directory: broker.directory)
        #expect(await agent.says("connected to"))
        broker.send(SIGSTOP)
        #expect(await agent.says("replay-ended"))
        // Longer than a drain takes.
        let end = Date()
        #expect(await eventually { Date().timeIntervalSince(end) > 3 })
        #expect(agent.child.isRunning, "\(agent.log)")
        broker.send(SIGCONT)
        #expect(await agent.child.wait(seconds: 60) == 0)
        #expect(await subscriber.sees { $0.state.agent == .stopped && $0.last == 3 })
        let tracked = subscriber.payloads("track").compactMap { try? TrackMessage(payload: $0) }.flatMap(\.reports)
        #expect(Set((subscriber.reports + tracked).map(\.identity.sequence)) == [1, 2, 3])
    }

    @Test("R01: the last place before the end is sent, however short the time since the report before")
    func r01TheLastPlace() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await Subscriber(broker)
        let file = try drive(20, in: broker.directory)
        let agent = try AgentProcess(
            replay(file, broker, speed: 100, interval: "50s"), arguments: ["--until-end"], directory: broker.directory)
        #expect(await agent.child.wait() == 0)
        #expect(
            await eventually {
                subscriber.reports.last.map { abs($0.location.coordinate.latitude - 50.0019) < 1e-6 } ?? false
            })
        // One more where the connection came after the first fix: what was held then is the news of the connection.
        #expect(await subscriber.sees { $0.state.agent == .stopped && [2, 3].contains($0.last) })
    }

    @Test func whatIsTooLargeForTheBrokerIsCounted() async throws {
        let broker = try await MosquittoBroker(["max_packet_size 200"])
        let file = try drive(3, in: broker.directory)
        let agent = try AgentProcess(
            replay(file, broker, speed: 0), arguments: ["--until-end"], directory: broker.directory)
        #expect(await agent.child.wait() == 0)
        #expect(agent.log.contains("warning stopped: "), "\(agent.log)")
        #expect(agent.log.contains("that the broker cannot take"))
    }

    @Test("check looks into the log that is to be replayed", arguments: ["missing.nmea", "empty.nmea"])
    func checkLooksIntoTheLog(name: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("", to: "empty.nmea")
        let log = directory.file(name).path
        let file = try directory.write(
            "vehicle: van-042\nprovider: { type: replay, replay: { file: \"\(log)\" } }\n", to: "agent.yaml")
        let check = try ChildProcess(
            BuiltProduct.path("fixcast-agent"), ["check", "-c", file], directory: directory)
        #expect(await check.wait() == 66)
        #expect(check.standardError.contains(name))
        #expect(check.standardOutput.isEmpty)
    }

    @Test func aBrokerThatDiesUnderLoadCostsNothing() async throws {
        let broker = try await MosquittoBroker()
        let file = try drive(40_000, in: broker.directory)
        let agent = try AgentProcess(
            replay(file, broker, speed: 0), arguments: ["--until-end"], directory: broker.directory)
        #expect(await agent.says("connected to"))
        broker.kill()
        #expect(await agent.says("warning disconnected"))
        try await broker.restart()
        #expect(await agent.child.wait(seconds: 60) == 0)
        #expect(agent.log.contains(" 0 not delivered, 0 dropped"), "\(agent.log)")
        let late = try await Subscriber(broker)
        #expect(await late.sees { $0.last == 40_000 })
        #expect(await eventually { late.reports.last?.identity.sequence == 40_000 })
    }
}
