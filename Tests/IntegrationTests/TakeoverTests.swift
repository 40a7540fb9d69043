import FixcastTestKit
import MosquittoTransport
import Testing

/// Two agents with one client id, as after copying a card: each takes the other's session.
@Suite(.timeLimit(.minutes(3))) struct TakeoverTests {
    @Test(arguments: MosquittoConfiguration.ProtocolVersion.allCases)
    func twoAgentsWithOneClientIDSaySoAndDoNotFight(version: MosquittoConfiguration.ProtocolVersion) async throws {
        let broker = try await MosquittoBroker()
        let text = configuration(broker, version: version)
        let agents = try ["one", "two"].map {
            try AgentProcess(text, stateDirectory: $0, directory: broker.directory)
        }
        #expect(await eventually(seconds: 60) { agents.contains { $0.log.contains("another client uses this id") } })
        let before = connects(agents)
        try await Task.sleep(for: .seconds(5))
        let after = connects(agents)
        #expect(after - before <= 8, "\(agents.map(\.log))")
        for agent in agents {
            agent.child.send(15)
            #expect(await agent.child.wait() == 0)
        }
        // Only so often does the log repeat it.
        let told = agents.map { $0.log.split(separator: "\n").filter { $0.contains("client-id-in-use") }.count }
        #expect(told.allSatisfy { $0 <= 2 })
    }

    private func connects(_ agents: [AgentProcess]) -> Int {
        agents.reduce(0) { $0 + $1.log.split(separator: "\n").filter { $0.contains("connected to mqtt") }.count }
    }
}
