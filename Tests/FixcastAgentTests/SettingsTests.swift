import Configuration
import FixcastTestKit
import FleetWire
import Foundation
import LocationProviders
import MessageTransport
import MosquittoTransport
import Outbox
import Reporting
import Testing

@testable import FixcastAgent

@Suite struct SettingsTests {
    private func read(_ text: String, _ environment: [String: String] = [:]) throws -> AgentSettings {
        try AgentSettings.read(ConfigurationTree(yaml: Array(text.utf8), file: "agent.yaml"), environment: environment)
    }

    private func problems(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch let problems as ConfigurationProblems {
            return problems.problems.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test func aCheckOpensTheLogToReplay() throws {
        let directory = try TemporaryDirectory()
        let fix = "{\"class\":\"TPV\",\"mode\":3,\"time\":\"2026-11-30T03:40:00Z\",\"lat\":50,\"lon\":7}\n"
        func check(_ file: String) throws {
            try Agent(read("vehicle: v\nprovider: { type: replay, replay: { file: \"\(file)\" } }")).check()
        }
        try check(directory.write(fix, to: "drive.json"))
        #expect(throws: Agent.Failure.self) { try check(directory.file("absent").path) }
        #expect(throws: Agent.Failure.self) { try check(directory.write("a letter\n", to: "letter.txt")) }
    }

    @Test func onlyTheVehicleIsNeeded() throws {
        let settings = try read("vehicle: van-042\n")
        #expect(settings.vehicle.text == "van-042")
        #expect(
            settings.provider == .local(ProviderSettings(source: .gpsd(GPSDSettings(host: "localhost", port: 2947)))))
        #expect(settings.mqtt.clientID == "van-042")
        #expect(settings.mqtt.address == BrokerAddress(host: "localhost", port: 1883, usesTLS: false))
        #expect(settings.mqtt.sessionExpiry == 60 && settings.mqtt.willDelay == 30)
        #expect(settings.policy == .standard)
        #expect(settings.locationExpiry == 2_592_000)
        #expect(settings.outbox.directory == "/var/lib/fixcast")
        #expect(problems("") == ["agent.yaml: vehicle: is missing; write for example vehicle: van-042"])
    }

    @Test func aDeviceOfGpsdCanBeNamed() throws {
        let text = "vehicle: v\nprovider: { gpsd: { address: \"gw:3000\", device: /dev/serial/by-id/gps-0 } }"
        #expect(
            try read(text).provider
                == .local(
                    ProviderSettings(
                        source: .gpsd(GPSDSettings(host: "gw", port: 3000, device: "/dev/serial/by-id/gps-0")))))
    }

    @Test func everyKeyIsRead() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("secret\nsecond line\n", to: "file")
        let settings = try read(
            """
            vehicle: v1
            provider:
              type: replay
              replay: { file: drive.nmea, speed: 0, loop: true, time: now }
              assume-accuracy: 15m
              uere: 4m
            checks: { max-accuracy: 0m, max-age: 0s, max-speed: 0m/s, warm-up: 20s, null-island: accept }
            reporting:
              unreliable: drop
              moving:
                min-interval: 2s
                max-interval: 2min
                max-error: 30m
                prediction: lazy
                min-distance: 50m
                min-heading-change: 15deg
                min-speed-change: 18km/h
              stationary: { min-interval: 3s, max-interval: 1h, max-error: 40m, min-distance: 70m }
            mqtt:
              url: mqtts://broker.example
              version: 3.1.1
              client-id: "agent-{vehicle}"
              topic-root: eu/{vehicle}/gps
              username: van
              password-file: \(file)
              ca-file: \(file)
              certificate-file: \(file)
              key-file: \(file)
              alpn: mqtt
              keep-alive: 90s
              acknowledge-timeout: 30s
              session-expiry: 2min
              will-delay: 5s
              retain: availability
              location-expiry: 0s
              qos: 0
            outbox: { directory: /tmp/state }
            availability: { fix-loss-delay: 3s }
            log: { level: debug, format: json }
            """)
        #expect(
            settings.provider
                == .local(
                    ProviderSettings(
                        source: .replay(ReplaySettings(file: "drive.nmea", speed: 0, loops: true, time: .now)),
                        common: CommonProviderSettings(assumption: .init(metres: 15), uere: 4))))
        #expect(
            settings.policy
                == .init(
                    checks: .init(
                        maxAccuracy: nil, maxAge: nil, maxSpeed: nil, warmUp: .seconds(20), rejectsNullIsland: false),
                    unreliable: .drop,
                    moving: .init(
                        minInterval: .seconds(2), maxInterval: .seconds(120), maxError: 30, prediction: .lazy,
                        minDistance: 50, minHeadingChange: 15, minSpeedChange: 5),
                    stationary: .init(
                        minInterval: .seconds(3), maxInterval: .seconds(3600), maxError: 40, prediction: .lazy,
                        minDistance: 70)))
        var mqtt = MosquittoConfiguration(
            address: BrokerAddress(host: "broker.example", port: 8883, usesTLS: true), clientID: "agent-v1")
        mqtt.version = .v311
        mqtt.username = "van"
        mqtt.password = "secret"
        mqtt.tls.authorityFile = file
        mqtt.tls.certificateFile = file
        mqtt.tls.keyFile = file
        mqtt.tls.applicationProtocol = "mqtt"
        mqtt.keepAlive = 90
        mqtt.acknowledgeTimeout = 30_000_000_000
        mqtt.sessionExpiry = 120
        mqtt.willDelay = 5
        #expect(settings.mqtt == mqtt)
        #expect(settings.root.template == "eu/{vehicle}/gps")
        #expect(settings.retain == .availability && settings.locationExpiry == nil && settings.qos == .atMostOnce)
        #expect(settings.fixLossDelay == .seconds(3))
        #expect(settings.logLevel == .debug && settings.logFormat == .json)
    }

    @Test func aParkedVehicleIsReportedAsAMovingOneUnlessTheConfigurationSaysOtherwise() throws {
        func stationary(_ moving: String) throws -> ReportingPolicy.Profile {
            try read("vehicle: v\nreporting: { moving: { \(moving) } }").policy.stationary
        }
        #expect(
            try stationary("max-error: 0m, min-interval: 2s")
                == .init(minInterval: .seconds(2), maxInterval: .seconds(300), maxError: 0))
        #expect(try stationary("max-error: 0m").sendsEveryFix)
        // A course alone asks for nothing while parked.
        #expect(try !stationary("max-error: 0m, min-heading-change: 20deg").sendsEveryFix)
        #expect(try stationary("min-interval: 10min, max-interval: 1h").minInterval == .seconds(300))
    }

    @Test func sourcesOfFirstOfHaveKeysAndNamesOfTheirOwn() throws {
        let settings = try read(
            """
            vehicle: v
            provider:
              type: first-of
              uere: 4m
              fall-back: { after: 5s, return-after: 20s }
              first-of:
                - { type: gpsd, gpsd: { address: "a:1" }, uere: 3m }
                - { type: gpsd, gpsd: { address: "b:2" } }
                - { type: simulator, name: made-up }
                - { type: mqtt, mqtt: { owntracks: owntracks/anna/phone, stale-after: 1min } }
            mqtt: { url: mqtt://broker.example }
            """)
        func gpsd(_ host: String, _ port: UInt16, uere: Double) -> AgentProvider {
            .local(
                ProviderSettings(
                    source: .gpsd(GPSDSettings(host: host, port: port)), common: CommonProviderSettings(uere: uere)))
        }
        var mqtt = settings.mqtt
        mqtt.clientID = "v-source"
        mqtt.sessionExpiry = 0
        #expect(
            settings.provider
                == .firstOf(
                    FirstOfSettings(
                        sources: [
                            .init(name: "gpsd-1", provider: gpsd("a", 1, uere: 3)),
                            .init(name: "gpsd-2", provider: gpsd("b", 2, uere: 4)),
                            .init(
                                name: "made-up",
                                provider: .local(
                                    ProviderSettings(
                                        source: .simulator(SimulatorSettings()),
                                        common: CommonProviderSettings(uere: 4)))),
                            .init(
                                name: "mqtt",
                                provider: .remote(
                                    RemoteSourceSettings(
                                        subject: .ownTracks(topic: "owntracks/anna/phone", staleAfter: .seconds(60)),
                                        mqtt: mqtt))),
                        ], silence: .seconds(5), proof: .seconds(20))))
    }

    @Test func aSourceMayHaveABrokerOfItsOwn() throws {
        let settings = try read(
            """
            vehicle: v
            provider: { type: mqtt, mqtt: { vehicle: w, topic-root: "eu/{vehicle}", url: "mqtt://other", client-id: v } }
            """)
        var mqtt = MosquittoConfiguration(
            address: BrokerAddress(host: "other", port: 1883, usesTLS: false), clientID: "v")
        mqtt.sessionExpiry = 0
        #expect(
            settings.provider
                == .remote(
                    RemoteSourceSettings(
                        subject: .vehicle(try VehicleID("w"), try TopicRoot("eu/{vehicle}")), mqtt: mqtt)))
    }

    @Test(arguments: [
        ("vehicle: a.b", "agent.yaml:1:10: vehicle: "),
        ("vehicle: v\nmqtt: { url: localhost }", "agent.yaml:2:14: mqtt.url: "),
        ("vehicle: v\nmqtt: { url: \"mqtt://u:secret@h\" }", "username and password-file"),
        ("vehicle: v\nmqtt: { topic-root: fleet }", "mqtt.topic-root: "),
        ("vehicle: v\nprovider: { type: gsd }", "\"gsd\" is not one of gpsd"),
        ("vehicle: v\nprovider: { type: mqtt }", "provider.mqtt.vehicle: is missing"),
        (
            "vehicle: v\nprovider: { type: mqtt, mqtt: { vehicle: v } }",
            "2:42: provider.mqtt.vehicle: is this agent's own"
        ),
        (
            "vehicle: v\nprovider: { type: mqtt, mqtt: { vehicle: w, client-id: v } }",
            "is the agent's own mqtt.client-id"
        ),
        (
            "vehicle: v\nprovider: { type: mqtt, mqtt: { vehicle: w, username: u } }",
            "provider.mqtt.username: has no effect without provider.mqtt.url"
        ),
        ("vehicle: v\nprovider: { type: mqtt, mqtt: { vehicle: w, owntracks: a } }", "keep one of them"),
        ("vehicle: v\nprovider: { type: mqtt, mqtt: { owntracks: a/# } }", "is not one topic"),
        ("vehicle: v\nprovider: { type: mqtt, assume-accuracy: 5m, mqtt: { vehicle: w } }", "has no effect with"),
        ("vehicle: v\nprovider: { type: first-of }", "provider.first-of: is missing"),
        ("vehicle: v\nprovider: { type: first-of, first-of: [ { type: first-of } ] }", "provider.first-of[0].type: "),
        (
            "vehicle: v\nprovider: { type: first-of, first-of: [ { type: replay } ] }",
            "provider.first-of[0].replay.file: is missing"
        ),
        ("vehicle: v\nprovider: { type: first-of, first-of: [ { tipe: gpsd } ] }", "did you mean type?"),
        ("vehicle: v\nprovider: { type: nmae }", "did you mean nmea?"),
        ("vehicle: v\nprovider: { type: nmea }", "provider.nmea.source: is missing"),
        ("vehicle: v\nprovider: { type: nmea, nmea: { source: /dev/ttyUSB0 } }", "write serial:/dev/ttyUSB0"),
        ("vehicle: v\nprovider: { type: replay, replay: { file: \"\" } }", "provider.replay.file: "),
        ("vehicle: v\nprovider: { type: replay }", "provider.replay.file: is missing"),
        ("vehicle: v\nprovider: { type: command }", "provider.command.run: is missing"),
        ("vehicle: v\nprovider: { type: command, command: { run: prog } }", "it takes a list"),
        ("vehicle: v\nprovider: { type: command, command: { run: [] } }", "provider.command.run: is empty"),
        ("vehicle: v\nprovider: { gpsd: { address: \"h:0\" } }", "no port from 1 to 65535"),
        ("vehicle: v\nreporting: { moving: { min-interval: 5min } }", "is longer than reporting.moving.max-interval"),
        (
            "vehicle: v\nreporting: { stationary: { min-interval: 10min } }",
            "is longer than reporting.stationary.max-interval"
        ),
        ("vehicle: v\nchecks: { max-speed: 90 }", "has no unit; write for example 90m/s"),
        ("vehicle: v\nreporting: { moving: { min-interval: 5 } }", "has no unit; write for example 5s"),
        ("vehicle: v\nmqtt: { password-file: /no/such/file, username: u }", "there is no file /no/such/file"),
        ("vehicle: v\nmqtt: { password-file: /dev/null, username: u }", "the first line of /dev/null is empty"),
        ("vehicle: v\nmqtt: { password-file: /etc/hostname }", "without mqtt.username"),
        ("vehicle: v\nmqtt: { url: \"mqtts://h\", key-file: /etc/hostname }", "stands alone"),
        ("vehicle: v\nmqtt: { ca-file: /etc/hostname }", "has no effect without TLS"),
        ("vehicle: v\nmqtt: { password: secret }", "mqtt.password: is no known key; did you mean password-file?"),
        ("vehicle: v\nreporting: { data-budget: 5MB }", "write 5MB/day or"),
        ("vehicle: v\nmqtt: { ca-fiel: /etc/hostname }", "did you mean ca-file?"),
        ("vehicle: v\noutbox: { max-sise: 1MB }", "did you mean max-size?"),
        ("vehicle: v\noutbox: { max-size: 1kB }", "outbox.max-size"),
        ("vehicle: v\noutbox: { durability: sometimes }", "outbox.durability"),
        ("vehicle: v\nmqtt: { backlog: { reports: 20 } }", "has no unit; write for example 20/s"),
    ])
    func whatIsWrongIsSaidWithItsPlace(text: String, expected: String) {
        let found = problems(text)
        #expect(found.count == 1)
        #expect(found.first?.contains(expected) == true, "\(found)")
        #expect(!found.joined().contains("secret"))
    }

    @Test func aProgramIsRunWithItsArgumentsAsTheyStand() throws {
        let settings = try read(
            "vehicle: v\nprovider: { type: command, command: { run: [ /bin/tool, \"a b\", '$HOME' ], silence: 1min } }")
        let expected = CommandSettings(run: ["/bin/tool", "a b", "$HOME"], silence: .seconds(60))
        #expect(settings.provider == .local(ProviderSettings(source: .command(expected))))
    }

    @Test func theEnvironmentOverrides() throws {
        let settings = try read(
            "vehicle: v\n", ["FIXCAST_AGENT_MQTT_URL": "mqtt://other", "FIXCAST_AGENT_VEHICLE": "w"])
        #expect(settings.mqtt.address.host == "other")
        #expect(settings.vehicle.text == "w")
    }

    @Test(arguments: [
        ("h", "h", 2947), ("h:1", "h", 1), ("[::1]", "::1", 2947), ("[::1]:5", "::1", 5), ("::1", "::1", 2947),
    ])
    func addressesOfGPSDAreRead(text: String, host: String, port: Int) throws {
        #expect(try AgentKeys.hostPortFormat.read(text) == HostPort(host: host, port: UInt16(port)))
    }

    @Test func everyDeclaredKeyIsUnique() {
        #expect(Set(AgentKeys.all.map(\.path)).count == AgentKeys.all.count)
    }
}
