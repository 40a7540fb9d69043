import FixcastTestKit
import Foundation
import MessageTransport
import MosquittoTransport
import Synchronization
import Testing

/// A transport on a loop thread of its own that remembers its events.
final class TransportProbe: Sendable {
    let thread: LoopThread
    let transport: MosquittoTransport
    private let seen = Mutex<[TransportEvent]>([])

    init(_ configuration: MosquittoConfiguration, will: OutgoingMessage? = nil) throws {
        thread = try LoopThread()
        transport = MosquittoTransport(configuration: configuration, loop: thread.loop) { _ in will }
    }

    deinit { transport.stop() }

    func start() {
        transport.start { [weak self] event in self?.seen.withLock { $0.append(event) } }
    }

    var events: [TransportEvent] { seen.withLock { $0 } }
    var messages: [IncomingMessage] {
        events.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }
    var connections: Int { events.count { if case .connected = $0 { true } else { false } } }
    var failures: [TransportFailure] {
        events.compactMap { if case .disconnected(let failure) = $0 { failure } else { nil } }
    }

    func outcome(of id: PublishID) -> PublishOutcome? {
        for case .completed(id, let outcome) in events { return outcome }
        return nil
    }

    func isConnected() async -> Bool { await eventually { self.connections > 0 } }

    /// Publishes and waits for the outcome.
    func publish(_ message: OutgoingMessage) async -> PublishOutcome? {
        switch transport.publish(message) {
        case .settled(let outcome): return outcome
        case .pending(let id):
            _ = await eventually { self.outcome(of: id) != nil }
            return outcome(of: id)
        }
    }
}

extension MosquittoBroker {
    func configuration(
        _ id: String, version: MosquittoConfiguration.ProtocolVersion = .v5, tls: Bool = false
    ) -> MosquittoConfiguration {
        var configuration = MosquittoConfiguration(
            address: BrokerAddress(host: tls ? "localhost" : "127.0.0.1", port: port, usesTLS: tls), clientID: id)
        configuration.version = version
        configuration.backoff.initial = 50_000_000
        configuration.backoff.maximum = 200_000_000
        configuration.keepAlive = 5
        return configuration
    }
}

private let versions = MosquittoConfiguration.ProtocolVersion.allCases

@Suite(.timeLimit(.minutes(2))) struct MosquittoTransportTests {
    @Test("no size of a message ends the process or the connection", arguments: [0, 1])
    func everySizeAroundTheLimit(qos: Int) async throws {
        let broker = try await MosquittoBroker(["max_packet_size 200"])
        let probe = try TransportProbe(broker.configuration("probe"))
        probe.start()
        #expect(await probe.isConnected())
        for size in 170...205 {
            var message = OutgoingMessage(topic: "t", payload: [UInt8](repeating: 0x61, count: size))
            if qos == 0 { message.qos = .atMostOnce }
            let length = 1 + 2 + 2 + 1 + (qos == 0 ? 0 : 2) + 1 + size
            let outcome = await probe.publish(message)
            if length <= 200 {
                #expect(outcome == .accepted || outcome == .acceptedWithoutSubscribers, "\(size)")
            } else {
                #expect(outcome == .tooLarge(limit: 200), "\(size)")
            }
        }
        #expect(probe.failures == [])
    }

    @Test(arguments: versions)
    func messagesTravelBothWays(version: MosquittoConfiguration.ProtocolVersion) async throws {
        let broker = try await MosquittoBroker()
        let probe = try TransportProbe(broker.configuration("a", version: version))
        probe.start()
        try #require(await probe.isConnected())
        probe.transport.subscribe([Subscription("t/#")])
        try #require(await eventually { probe.events.contains(.subscribed(refused: [:])) })
        for qos in [QualityOfService.atMostOnce, .atLeastOnce] {
            let message = OutgoingMessage(topic: "t/\(qos.rawValue)", payload: [1, 0, 255], qos: qos)
            #expect(await probe.publish(message) == .accepted)
        }
        #expect(await eventually { probe.messages.count == 2 })
        #expect(probe.messages.map(\.topic) == ["t/0", "t/1"])
        #expect(probe.messages.allSatisfy { $0.payload == [1, 0, 255] && !$0.retained })
        probe.transport.stop()
        #expect(await eventually { probe.events.last == .stopped })
    }

    @Test func nothingIsKeptForALaterConnection() async throws {
        let broker = try await MosquittoBroker()
        let probe = try TransportProbe(broker.configuration("a"))
        probe.start()
        try #require(await probe.isConnected())
        broker.kill()
        try #require(await eventually { !probe.failures.isEmpty })
        #expect(await probe.publish(OutgoingMessage(topic: "t", payload: [2], retain: true)) == .notConnected)
        try await broker.restart()
        try #require(await eventually { probe.connections == 2 })
        probe.transport.subscribe([Subscription("#")])
        #expect(await probe.publish(OutgoingMessage(topic: "end", payload: [])) != nil)
        #expect(await eventually { probe.messages.contains { $0.topic == "end" } })
        #expect(!probe.messages.contains { $0.topic == "t" })
    }

    /// What the library holds unacknowledged must not come after newer state on the next connection.
    @Test func anUnacknowledgedRetainedMessageIsNotSentAgainAfterANewerOne() async throws {
        let broker = try await MosquittoBroker(["persistence true"])
        var configuration = broker.configuration("a")
        configuration.acknowledgeTimeout = 1_000_000_000
        let probe = try TransportProbe(configuration)
        probe.start()
        try #require(await probe.isConnected())
        broker.send(SIGSTOP)
        guard
            case .pending(let old) = probe.transport.publish(
                OutgoingMessage(topic: "state", payload: [1], retain: true))
        else {
            Issue.record("not handed over")
            return
        }
        await probe.thread.run {}
        broker.kill()
        #expect(await eventually { probe.outcome(of: old) == .unknown })
        try await broker.restart()
        try #require(await eventually { probe.connections == 2 })
        #expect(
            await probe.publish(OutgoingMessage(topic: "state", payload: [2], retain: true))
                == .acceptedWithoutSubscribers)
        let reader = try TransportProbe(broker.configuration("reader"))
        reader.start()
        try #require(await reader.isConnected())
        // Whatever would be re-sent comes within the round trips of this exchange.
        for _ in 0..<3 { _ = await probe.publish(OutgoingMessage(topic: "other", payload: [])) }
        reader.transport.subscribe([Subscription("state")])
        #expect(await eventually { !reader.messages.isEmpty })
        #expect(reader.messages.map(\.payload) == [[2]])
    }

    @Test("M05: a frozen broker is a dead link once it does not acknowledge") func m05FrozenBroker() async throws {
        let broker = try await MosquittoBroker()
        var configuration = broker.configuration("a")
        configuration.acknowledgeTimeout = 1_000_000_000
        let probe = try TransportProbe(configuration)
        probe.start()
        try #require(await probe.isConnected())
        broker.send(SIGSTOP)
        defer { broker.send(SIGCONT) }
        #expect(await probe.publish(OutgoingMessage(topic: "t", payload: [1])) == .unknown)
        #expect(probe.failures.first?.message == "the broker does not acknowledge")
    }

    @Test("M07: a denied publish is refused where the protocol can say so", arguments: versions)
    func m07DeniedPublish(version: MosquittoConfiguration.ProtocolVersion) async throws {
        let directory = try TemporaryDirectory()
        let acl = try directory.write("user veh1\ntopic readwrite fleet/veh1/#\n", to: "acl")
        let passwords = directory.file("passwords").path
        let tool = try ChildProcess("mosquitto_passwd", ["-c", "-b", passwords, "veh1", "right"], directory: directory)
        #expect(await tool.wait() == 0)
        let broker = try await MosquittoBroker(
            ["acl_file \(acl)", "password_file \(passwords)"], anonymous: false, directory: directory)
        var configuration = broker.configuration("veh2", version: version)
        configuration.username = "veh1"
        configuration.password = "right"
        let probe = try TransportProbe(configuration)
        probe.start()
        try #require(await probe.isConnected())
        let denied = await probe.publish(OutgoingMessage(topic: "fleet/veh2/location", payload: [1]))
        #expect(denied == (version == .v5 ? .refused(.notAuthorized) : .accepted))
        let allowed = await probe.publish(OutgoingMessage(topic: "fleet/veh1/location", payload: [1]))
        #expect(allowed == (version == .v5 ? .acceptedWithoutSubscribers : .accepted))
    }

    @Test(arguments: versions)
    func aWrongPasswordIsAnAuthenticationFailure(version: MosquittoConfiguration.ProtocolVersion) async throws {
        let directory = try TemporaryDirectory()
        let passwords = directory.file("passwords").path
        let tool = try ChildProcess("mosquitto_passwd", ["-c", "-b", passwords, "veh1", "right"], directory: directory)
        #expect(await tool.wait() == 0)
        let broker = try await MosquittoBroker(["password_file \(passwords)"], anonymous: false, directory: directory)
        var configuration = broker.configuration("veh1", version: version)
        configuration.username = "veh1"
        configuration.password = "sesame"
        let probe = try TransportProbe(configuration)
        probe.start()
        try #require(await eventually { !probe.failures.isEmpty })
        #expect(probe.failures[0].kind == .authentication)
        #expect(!probe.failures[0].message.contains("sesame"))
        #expect(await eventually { probe.failures.count >= 3 }, "it tries again")
    }

    @Test func theBrokersLimitsAreReadAndObeyed() async throws {
        let broker = try await MosquittoBroker([
            "max_packet_size 300", "max_qos 0", "max_keepalive 10", "max_inflight_messages 9",
        ])
        let probe = try TransportProbe(
            broker.configuration("a"), will: OutgoingMessage(topic: "w", payload: [1], qos: .atLeastOnce, retain: true))
        probe.start()
        try #require(await probe.isConnected())
        guard
            let capabilities = probe.events.compactMap({ if case .connected(let found) = $0 { found } else { nil } })
                .first
        else { return }
        #expect(capabilities.maximumPacketSize == 300)
        #expect(capabilities.maximumQoS == .atMostOnce)
        #expect(capabilities.receiveMaximum == 9)
        #expect(await probe.publish(OutgoingMessage(topic: "t", payload: [1])) == .accepted)
        #expect(
            await probe.publish(OutgoingMessage(topic: "t", payload: Array(repeating: 0, count: 400)))
                == .tooLarge(limit: 300))
    }

    @Test func aBrokerWithoutRetainIsEnteredWithoutARetainedWill() async throws {
        let broker = try await MosquittoBroker(["retain_available false"])
        let probe = try TransportProbe(
            broker.configuration("a"), will: OutgoingMessage(topic: "w", payload: [1], retain: true))
        probe.start()
        try #require(await probe.isConnected())
        #expect(
            await probe.publish(OutgoingMessage(topic: "t", payload: [1], retain: true)) == .acceptedWithoutSubscribers)
    }

    @Test func theWillIsPublishedWhenTheConnectionIsLostAndNotAfterStop() async throws {
        let broker = try await MosquittoBroker()
        let reader = try TransportProbe(broker.configuration("reader"))
        reader.start()
        try #require(await reader.isConnected())
        reader.transport.subscribe([Subscription("w")])
        var configuration = broker.configuration("a")
        configuration.willDelay = 0
        for clean in [true, false] {
            let will = OutgoingMessage(topic: "w", payload: clean ? [1] : [2], qos: .atLeastOnce)
            let probe = try TransportProbe(configuration, will: will)
            probe.start()
            try #require(await probe.isConnected())
            if clean {
                probe.transport.stop()
                #expect(await eventually { probe.events.last == .stopped })
            } else {
                // A second client with the same id takes the session over; its clean start ends the old one's.
                // This broker closes the old connection without saying why.
                let second = try TransportProbe(configuration)
                second.start()
                #expect(await eventually { !probe.failures.isEmpty })
                #expect(await eventually { reader.messages.contains { $0.payload == [2] } })
                #expect(!reader.messages.contains { $0.payload == [1] })
                probe.transport.stop()
                second.transport.stop()
            }
        }
    }

    @Test func stopWhileTheBrokerIsAbsentOrTheNameIsSlowIsImmediate() async throws {
        var configuration = MosquittoConfiguration(
            address: BrokerAddress(host: "127.0.0.1", port: try LoopbackPort.free(), usesTLS: false), clientID: "a")
        configuration.backoff.initial = 3_600_000_000_000
        let probe = try TransportProbe(configuration)
        probe.start()
        try #require(await eventually { !probe.failures.isEmpty })
        #expect(probe.failures[0].kind == .unreachable)
        probe.transport.stop()
        #expect(await eventually(seconds: 5) { probe.events.last == .stopped })
    }
}
