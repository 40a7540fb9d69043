import FixcastTestKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct TLSTests {
    static func broker(
        _ pair: TestAuthority.Pair, clientAuthority: String? = nil, directory: TemporaryDirectory
    ) async throws -> MosquittoBroker {
        var settings = ["certfile \(pair.certificate)", "keyfile \(pair.key)"]
        if let clientAuthority {
            settings += ["cafile \(clientAuthority)", "require_certificate true", "use_identity_as_username true"]
        }
        return try await MosquittoBroker(settings, directory: directory)
    }

    static func configuration(_ broker: MosquittoBroker, host: String = "localhost", mqtt: [String]) -> String {
        """
        vehicle: van-042
        provider: { type: simulator }
        mqtt:
          url: "mqtts://\(host):\(broker.port)"
        \(mqtt.map { "  " + $0 }.joined(separator: "\n"))
        """
    }

    @Test func aClientCertificateAndTheAuthorityLetTheVehicleIn() async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority(directory: directory)
        let server = try await authority.issue("localhost")
        let client = try await authority.issue("van-042")
        let broker = try await Self.broker(server, clientAuthority: authority.certificate, directory: directory)
        let files = ["ca-file: \(authority.certificate)"]
        let stranger = try AgentProcess(
            Self.configuration(broker, mqtt: files), stateDirectory: "stranger", directory: directory)
        #expect(await stranger.says("warning disconnected"), "a client without certificate is not let in")
        let agent = try AgentProcess(
            Self.configuration(
                broker, mqtt: files + ["certificate-file: \(client.certificate)", "key-file: \(client.key)"]),
            directory: directory)
        #expect(await agent.says("connected to"), "\(agent.log)")
        #expect(!stranger.log.contains("info connected"))
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0, "\(agent.log)")
    }

    @Test(
        "M11: a certificate that cannot be verified is said, retried, and never accepted",
        arguments: ["otherAuthority", "notYetValid", "expired", "otherName", "systemStore"])
    func m11(cause: String) async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority(directory: directory)
        let other = try await TestAuthority("other", directory: directory)
        let server =
            switch cause {
            case "otherAuthority": try await other.issue("localhost")
            case "notYetValid": try await authority.issue("localhost", from: 2, until: 5)
            case "expired": try await authority.issue("localhost", from: -5, until: -2)
            default: try await authority.issue("localhost")
            }
        let broker = try await Self.broker(server, directory: directory)
        let agent = try AgentProcess(
            Self.configuration(
                broker, host: cause == "otherName" ? "127.0.0.1" : "localhost",
                mqtt: cause == "systemStore" ? [] : ["ca-file: \(authority.certificate)"]), directory: directory)
        #expect(await agent.says("TLS failed: "), "\(agent.log)")
        #expect(await agent.says("certificate verify failed"), "\(agent.log)")
        #expect(!agent.log.contains("info connected"))
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0, "\(agent.log)")
    }

    /// The moment of the stop falls anywhere in an attempt to connect, whose thread must not be caught inside the
    /// library's own end.
    @Test func aStopAmidTheHandshakesIsClean() async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority(directory: directory)
        let other = try await TestAuthority("other", directory: directory)
        let broker = try await Self.broker(try await other.issue("localhost"), directory: directory)
        let configuration = Self.configuration(broker, mqtt: ["ca-file: \(authority.certificate)"])
        var generator = SeededGenerator(seed: 7)
        for round in 0..<12 {
            let agent = try AgentProcess(configuration, stateDirectory: "state\(round)", directory: directory)
            #expect(await agent.says("the position is known"))
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &generator)))
            agent.child.send(SIGTERM)
            #expect(await agent.child.wait() == 0, "\(agent.log)")
        }
    }

    @Test("M11: once the certificate is right it connects by itself")
    func m11Recovers() async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority(directory: directory)
        let late = try await authority.issue("localhost", from: -5, until: -2)
        let right = try await authority.issue("localhost")
        let broker = try await Self.broker(late, directory: directory)
        let agent = try AgentProcess(
            Self.configuration(broker, mqtt: ["ca-file: \(authority.certificate)"]), directory: directory)
        #expect(await agent.says("TLS failed: "))
        for (old, new) in [(late.certificate, right.certificate), (late.key, right.key)] {
            try FileManager.default.removeItem(atPath: old)
            try FileManager.default.copyItem(atPath: new, toPath: old)
        }
        try await broker.restart()
        #expect(await agent.says("info connected", seconds: 60), "\(agent.log)")
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0, "\(agent.log)")
    }

    @Test("M11: an empty file of authorities trusts nobody")
    func m11EmptyAuthorityFile() async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority(directory: directory)
        let broker = try await Self.broker(try await authority.issue("localhost"), directory: directory)
        let empty = try directory.write("", to: "empty.pem")
        let agent = try AgentProcess(Self.configuration(broker, mqtt: ["ca-file: \(empty)"]), directory: directory)
        #expect(await agent.says("warning disconnected"), "\(agent.log)")
        #expect(!agent.log.contains("info connected"))
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0, "\(agent.log)")
    }

    @Test func aWrongPasswordIsSaidAndNeverShown() async throws {
        let directory = try TemporaryDirectory()
        let passwords = directory.file("passwords").path
        let tool = try ChildProcess("mosquitto_passwd", ["-c", "-b", passwords, "van", "right"], directory: directory)
        #expect(await tool.wait() == 0)
        let broker = try await MosquittoBroker(["password_file \(passwords)"], anonymous: false, directory: directory)
        for (password, line) in [
            ("sesame-street", "refused user name, password or certificate"), ("right", "info connected"),
        ] {
            let file = try directory.write(password + "\n", to: "password")
            let agent = try AgentProcess(
                """
                vehicle: van-042
                provider: { type: simulator }
                mqtt: { url: "mqtt://127.0.0.1:\(broker.port)", username: van, password-file: \(file) }
                """, directory: directory)
            #expect(await agent.says(line), "\(agent.log)")
            #expect(!agent.log.contains("sesame"))
            agent.child.send(SIGTERM)
            #expect(await agent.child.wait() == 0, "\(agent.log)")
        }
    }
}
