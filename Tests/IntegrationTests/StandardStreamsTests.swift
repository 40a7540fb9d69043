import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

/// What a program does whose standard streams are closed or full.
@Suite(.timeLimit(.minutes(2))) struct StandardStreamsTests {
    @Test func anAgentWithoutStandardStreamsWritesIntoNothingElse() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await Subscriber(broker)
        let state = broker.directory.file("state")
        let file = try broker.directory.write(
            configuration(broker) + "\noutbox: { directory: \"\(state.path)\" }\nlog: { level: debug }\n",
            to: "closed.yaml")
        let agent = try ChildProcess(
            "/bin/sh", ["-c", "exec '\(BuiltProduct.path("fixcast-agent"))' run -c '\(file)' 0<&- 1>&- 2>&-"],
            directory: broker.directory)
        #expect(await eventually { subscriber.reports.count >= 3 })
        agent.send(SIGTERM)
        #expect(await agent.wait() == 0)
        #expect(await subscriber.sees { $0.state.agent == .stopped })
        #expect(try Data(contentsOf: state.appending(path: "lock")).isEmpty)
    }

    @Test("a watch whose output is lost says so", arguments: [">/dev/full", ">&-"], ["text", "csv"])
    func watchSaysThatItsOutputIsLost(redirection: String, format: String) async throws {
        let broker = try await MosquittoBroker()
        let agent = try AgentProcess(configuration(broker), directory: broker.directory)
        #expect(await agent.says("connected to"))
        let url = "mqtt://127.0.0.1:\(broker.port)"
        let watch = try ChildProcess(
            "/bin/sh",
            ["-c", "exec '\(BuiltProduct.path("fixcast"))' watch -b \(url) -f \(format) \(redirection)"],
            directory: broker.directory)
        #expect(await watch.wait() == 74)
        #expect(watch.standardError.contains("cannot be written"))
    }
}
