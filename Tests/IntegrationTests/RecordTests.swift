import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

@testable import LocationProviders

@Suite(.serialized, .timeLimit(.minutes(3))) struct RecordTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func record(_ provider: String, _ arguments: [String] = []) throws -> ChildProcess {
        // A broker that nobody runs and a state directory that cannot be are of no concern.
        let text = """
            vehicle: van-042
            provider: \(provider)
            mqtt: { url: "mqtt://no-such-host.invalid", username: u, password-file: /no/such/file }
            outbox: { directory: /proc/nowhere }
            """
        let file = try directory.write(text, to: "agent-\(UUID().uuidString.prefix(8)).yaml")
        return try ChildProcess(
            BuiltProduct.path("fixcast-agent"), ["record", "-c", file] + arguments, directory: directory)
    }

    private func nmea(_ source: String) -> String { "{ type: nmea, nmea: { source: \"\(source)\" } }" }

    /// The bytes and events of a recording.
    private func content(_ text: String) -> (bytes: [UInt8], events: [RecordingEvent], header: RecordingReader.Header?)
    {
        var reader = RecordingReader()
        var (bytes, events) = ([UInt8](), [RecordingEvent]())
        var lines = text.split(separator: "\n").map { Array($0.utf8) }
        guard !lines.isEmpty else { return ([], [], nil) }
        let first = lines.removeFirst()
        let header = try? RecordingReader.header(first.span, 0..<first.count)
        for line in lines {
            switch reader.read(line.span, 0..<line.count) {
            case .data: bytes += reader.bytes
            case .event(let event): events.append(event)
            case nil: Issue.record("a damaged line")
            }
        }
        return (bytes, events, header)
    }

    @Test func aSerialPortsStreamIsRecordedAndReplaysToTheSamePositions() async throws {
        let port = try PseudoTerminal(in: directory)
        let recording = directory.file("drive.rec").path
        let recorder = try record(nmea("serial:\(port.path)?baud=9600"), ["-o", recording])
        let live = directory.file("drive.rec")
        #expect(await eventually { (try? String(contentsOf: live, encoding: .utf8))?.contains("!connected") == true })
        var sent = ""
        for second in 0..<20 {
            let text = (second == 7 ? "\u{1}noise! \\\t" : "") + Receiver.epoch(second)
            port.send(text)
            sent += text
            try await Task.sleep(for: .milliseconds(40))
        }
        let expected = sent.utf8.count
        #expect(
            await eventually {
                content((try? String(contentsOf: live, encoding: .utf8)) ?? "").bytes.count == expected
            })
        recorder.send(SIGTERM)
        #expect(await recorder.wait() == 0)
        #expect(
            recorder.standardError.contains("recorded \(expected) bytes, 80 lines, in "), "\(recorder.standardError)")
        #expect(recorder.standardOutput.isEmpty)
        let mode = try FileManager.default.attributesOfItem(atPath: recording)[.posixPermissions] as? Int
        #expect(mode == 0o600, "it holds coordinates")
        let recorded = content(try String(contentsOf: live, encoding: .utf8))
        #expect(recorded.bytes == Array(sent.utf8))
        #expect(recorded.events == [.connected, .disconnected])
        #expect(recorded.header?.kind == .nmea && recorded.header?.utc != nil)

        // The agent replays it.
        let broker = try await MosquittoBroker(directory: directory)
        let subscriber = try await Subscriber(broker)
        let replay = try AgentProcess(
            """
            vehicle: van-042
            provider: { type: replay, replay: { file: "\(recording)", speed: 0 } }
            checks: { max-age: 0s, max-speed: 0m/s }
            reporting: { moving: { max-error: 0m, min-interval: 0s } }
            mqtt: { url: "mqtt://127.0.0.1:\(broker.port)" }
            """, arguments: ["--until-end"], directory: directory)
        #expect(await replay.child.wait(seconds: 60) == 0, "\(replay.log)")
        #expect(await subscriber.sees { $0.state.agent == .stopped })
        let tracked = subscriber.payloads("track").compactMap { try? TrackMessage(payload: $0) }.flatMap(\.reports)
        var positions: [Int64: Coordinate] = [:]
        for report in subscriber.reports + tracked {
            positions[report.location.timestamp?.milliseconds ?? 0] = report.location.coordinate
        }
        #expect(positions.keys.sorted() == (0..<20).map { Receiver.noon + Int64($0) * 1000 })
        for (time, coordinate) in positions {
            let second = Int((time - Receiver.noon) / 1000)
            #expect(abs(coordinate.latitude - Receiver.latitude(second)) < 1e-6)
        }
    }

    @Test func aFileIsNeverLostByAccident() async throws {
        let log = try directory.write(Receiver.epoch(0), to: "drive.nmea")
        let taken = try directory.write("precious", to: "taken")
        let refused = try record(nmea("file:\(log)"), ["-o", taken])
        #expect(await refused.wait() == 73)
        #expect(refused.standardError.contains("is there already"))
        #expect(try String(contentsOfFile: taken, encoding: .utf8) == "precious")
        let forced = try record(nmea("file:\(log)"), ["-o", taken, "--force"])
        #expect(await forced.wait() == 0)
        #expect(content(try String(contentsOfFile: taken, encoding: .utf8)).bytes == Array(Receiver.epoch(0).utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: taken)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let nowhere = try record(nmea("file:\(log)"), ["-o", "/no/such/place/rec"])
        #expect(await nowhere.wait() == 73)
    }

    @Test func withoutAFileItGoesToTheStandardOutputUntilTheEnd() async throws {
        let text = (0..<3000).map { Receiver.epoch($0) }.joined()
        let log = try directory.write(text, to: "drive.nmea")
        let recorder = try record(nmea("file:\(log)"))
        #expect(await recorder.wait() == 0)
        let recorded = content(recorder.standardOutput)
        #expect(recorded.bytes == Array(text.utf8))
        #expect(recorded.events == [.connected, .disconnected])
    }

    @Test func whatGPSDSendsIsRecordedForAsLongAsAsked() async throws {
        let greeting = "{\"class\":\"VERSION\",\"release\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\r\n"
        let server = try LineServer(greeting: greeting)
        let recorder = try record(
            "{ type: gpsd, gpsd: { address: \"127.0.0.1:\(server.port)\" } }", ["--seconds", "2.5"])
        #expect(await eventually { server.received.contains("?WATCH=") })
        let fix = "{\"class\":\"TPV\",\"mode\":3,\"time\":\"2026-11-30T12:00:00.000Z\",\"lat\":54.5,\"lon\":3.5}\r\n"
        server.send(fix)
        #expect(await recorder.wait() == 0)
        let recorded = content(recorder.standardOutput)
        #expect(recorded.bytes == Array((greeting + fix).utf8))
        #expect(recorded.events == [.connected, .disconnected])
        #expect(recorded.header?.kind == .gpsd)
        #expect(recorder.standardError.contains(", 2 lines, in 2."))
    }

    @Test func aSourceThatIsNeverThereIsAFailure() async throws {
        let recorder = try record(nmea("serial:/dev/no-such-port"), ["--seconds", "0.5"])
        #expect(await recorder.wait() == 69)
        #expect(recorder.standardError.contains("there is no such device"))
        #expect(recorder.standardError.contains("the source was never there"))
    }

    @Test func whatCannotBeWrittenIsAFailure() async throws {
        let log = try directory.write(Receiver.epoch(0), to: "drive.nmea")
        let full = try record(nmea("file:\(log)"), ["-o", "/dev/full", "--force"])
        #expect(await full.wait() == 74)
        #expect(full.standardError.contains("/dev/full: cannot be written"))
    }

    @Test(arguments: [
        ("{ type: simulator }", "provider.type: is simulator, which has no raw stream to record; record takes gpsd"),
        ("{ type: replay, replay: { file: drive.nmea } }", "provider.type: is replay, which has no raw stream"),
        ("{ type: mqtt, mqtt: { vehicle: w } }", "provider.type: is mqtt, which has no raw stream"),
        ("{ type: first-of, first-of: [ { type: gpsd } ] }", "provider.type: is first-of, which has no raw stream"),
        ("{ type: nmea }", "provider.nmea.source: is missing"),
    ])
    func whatHasNoRawStreamIsRefused(provider: String, message: String) async throws {
        let recorder = try record(provider)
        #expect(await recorder.wait() == 78)
        #expect(recorder.standardError.contains(message), "\(recorder.standardError)")
        #expect(recorder.standardError.split(separator: "\n").count == 1)
        #expect(recorder.standardOutput.isEmpty)
    }

    @Test(arguments: ["0", "-1", "soon", "nan", "inf"]) func aTimeThatIsNoneIsRefused(seconds: String) async throws {
        let recorder = try record("{ type: gpsd }", ["--seconds=\(seconds)"])
        #expect(await recorder.wait() == 64)
        #expect(recorder.standardError.contains("--seconds takes a number above 0"))
    }
}
