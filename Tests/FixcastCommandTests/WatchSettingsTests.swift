import CommandLineOptions
import FleetWire
import Foundation
import MosquittoTransport
import Testing

@testable import FixcastCommand

@Suite struct WatchSettingsTests {
    private func settings(_ arguments: [String]) throws -> WatchSettings {
        let program = Program("fixcast", version: "0", "Test.", commands: [WatchSettings.command])
        guard case .run(let invocation) = program.parse(["watch"] + arguments) else {
            throw WatchFailure(code: .usage, message: "not parsed")
        }
        return try WatchSettings(invocation)
    }

    @Test func readsEveryOption() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("password-\(UUID().uuidString)")
        try Data("se cret\r\nrest".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let settings = try settings([
            "--broker", "mqtts://broker.example", "--vehicle=van-042", "--format", "csv", "--topic-root", "a/{vehicle}",
            "--username", "me", "--password-file", file.path, "--ca-file", "/ca.pem", "--mqtt-version", "3.1.1", "-n",
            "7",
        ])
        #expect(settings.broker.address == BrokerAddress(host: "broker.example", port: 8883, usesTLS: true))
        #expect(settings.vehicle?.text == "van-042")
        #expect(settings.format == .csv)
        #expect(settings.root == (try TopicRoot("a/{vehicle}")))
        #expect(settings.broker.username == "me" && settings.broker.password == "se cret")
        #expect(settings.broker.tls.authorityFile == "/ca.pem" && settings.broker.version == .v311)
        #expect(settings.count == 7)
    }

    @Test func hasDefaults() throws {
        let settings = try settings(["-b", "mqtt://localhost"])
        #expect(
            settings.vehicle == nil && settings.format == .text && settings.root == .standard && settings.count == nil)
        #expect(settings.broker.version == .v5 && settings.broker.username == nil)
    }

    @Test(arguments: [
        (["-b", "localhost"], ExitCode.usage), (["-b", "mqtt://h", "--vehicle", "a/b"], .usage),
        (["-b", "mqtt://h", "--topic-root", "fleet"], .usage), (["-b", "mqtt://h", "--count", "0"], .usage),
        (["-b", "mqtt://h", "--count", "many"], .usage), (["-b", "mqtt://h", "--password-file", "/x"], .usage),
        (["-b", "mqtt://h", "--ca-file", "/x"], .usage),
        (["-b", "mqtt://h", "-u", "me", "--password-file", "/nonexistent/x"], .configuration),
        (["-b", "mqtt://h", "-u", "me", "--password-file", "/"], .configuration),
        (["-b", "mqtt://h", "-u", "me", "--password-file", "/dev/null"], .configuration),
    ])
    func refuses(arguments: [String], code: ExitCode) {
        do {
            _ = try settings(arguments)
            Issue.record("accepted")
        } catch {
            #expect((error as? WatchFailure)?.code == code)
        }
    }
}
