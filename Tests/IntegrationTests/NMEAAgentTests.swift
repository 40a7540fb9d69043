import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

/// The real agent reads a receiver and publishes to a real broker; what a subscriber sees is the proof.
@Suite(.serialized, .timeLimit(.minutes(3))) struct NMEAAgentTests {
    private let directory: TemporaryDirectory
    private let port: PseudoTerminal

    init() throws {
        directory = try TemporaryDirectory()
        port = try PseudoTerminal(in: directory)
    }

    private func configuration(_ source: String, _ broker: MosquittoBroker) -> String {
        """
        vehicle: van-042
        provider: { type: nmea, nmea: { source: "\(source)", silence: 2s } }
        checks: { max-age: 0s, max-speed: 0m/s }
        reporting: { moving: { max-error: 0m, min-interval: 0s } }
        availability: { fix-loss-delay: 0s }
        mqtt: { url: "mqtt://127.0.0.1:\(broker.port)", keep-alive: 5s, will-delay: 0s }
        """
    }

    /// As much as the receiver's clock says of today: what is older or of tomorrow would be no position of now.
    private func present(_ second: Int) -> String {
        let now = Date().addingTimeInterval(-1)
        let parts = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: now)
        let time = String(
            format: "%02d%02d%02d.%02d", parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0,
            (parts.nanosecond ?? 0) / 10_000_000)
        let date = String(format: "%02d%02d%02d", parts.day ?? 0, parts.month ?? 0, (parts.year ?? 0) % 100)
        let position = String(format: "54%09.6f,N,00330.0000,E", (Receiver.latitude(second) - 54) * 60)
        return Receiver.sentence("GPGGA,\(time),\(position),1,08,1.2,10.0,M,45.0,M,,")
            + Receiver.sentence("GPRMC,\(time),A,\(position),19.4,0.0,\(date),,,A")
    }

    /// Without a fix, and with the clock going on (G01): with the old coordinates (a), or with nothing (b).
    private func lost(_ kind: String) -> @Sendable (Int) -> String {
        { second in
            let time = present(second).split(separator: ",")[1]
            let position = String(format: "54%09.6f,N,00330.0000,E", (Receiver.latitude(0) - 54) * 60)
            if kind == "b" { return Receiver.sentence("GPRMC,\(time),V,,,,,,,,,,N") }
            return Receiver.sentence("GPGGA,\(time),\(position),0,08,99.9,10.0,M,45.0,M,,")
                + Receiver.sentence("GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9")
                + Receiver.sentence("GPRMC,\(time),V,\(position),,,,,,N")
        }
    }

    @Test func aSerialPortsPositionsArriveAndAnUnpluggedOneIsDownUntilItIsBack() async throws {
        let broker = try await MosquittoBroker(directory: directory)
        let subscriber = try await Subscriber(broker)
        let agent = try AgentProcess(configuration("serial:\(port.path)?baud=9600", broker), directory: directory)
        #expect(await drive(port.send, present) { subscriber.reports.count >= 5 }, "\(agent.log)")
        let report = try #require(subscriber.reports.last)
        #expect(report.location.isReliable)
        #expect(report.location.source == "nmea")
        #expect(report.location.horizontalAccuracy == 6)
        #expect(abs(report.location.coordinate.longitude - 3.5) < 1e-6)
        #expect(report.location.coordinate.latitude > 54.499 && report.location.coordinate.latitude < 54.6)
        #expect(await subscriber.sees { $0.state.availability == .available })
        port.unplug()
        #expect(await subscriber.sees { $0.state.availability == .unavailable(.providerDown) }, "\(agent.log)")
        #expect(await agent.says("there is no such device"))
        try port.plug()
        let before = subscriber.reports.count
        #expect(await drive(from: 100, port.send, present) { subscriber.reports.count >= before + 3 }, "\(agent.log)")
        #expect(await subscriber.sees { $0.state.availability == .available })
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0)
        #expect(agent.log.contains("reading NMEA from serial:\(port.path)?baud=9600"))
        #expect(!agent.messages.contains { $0.contains("54.") }, "a log holds no coordinates")
    }

    @Test("G01: the fix is lost and the coordinates go on, or nothing does", arguments: ["a", "b"])
    func g01(kind: String) async throws {
        let broker = try await MosquittoBroker(directory: directory)
        let subscriber = try await Subscriber(broker)
        let agent = try AgentProcess(configuration("serial:\(port.path)?baud=9600", broker), directory: directory)
        #expect(await drive(port.send, present) { subscriber.reports.count >= 5 }, "\(agent.log)")
        #expect(await subscriber.sees { $0.state.availability == .available })
        #expect(
            await drive(port.send, lost(kind)) {
                subscriber.states.last?.state.availability == .unavailable(.noFix)
            }, "\(agent.log)")
        let (reports, states) = (subscriber.reports, subscriber.states.count)
        for second in 0..<40 {
            port.send(lost(kind)(second))
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(subscriber.reports.count == reports.count, "no position with a fresh time")
        #expect(subscriber.states.count == states, "told once")
        // Behind what an agent says before its first fix.
        let told = subscriber.states.map(\.state.availability).drop { $0 != .available }
        #expect(told.filter { $0 != .available } == [.unavailable(.noFix)], "one transition")
        // The last position is left with its own time, for those who come late too.
        let late = try await Subscriber(broker, id: "late")
        #expect(await late.sees { $0.state.availability == .unavailable(.noFix) })
        #expect(await eventually { late.reports.last?.location.timestamp == reports.last?.location.timestamp })
        #expect(await drive(from: 100, port.send, present) { subscriber.reports.count > reports.count })
        #expect(await subscriber.sees { $0.state.availability == .available })
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0)
    }

    @Test func forwardedDatagramsArrive() async throws {
        let broker = try await MosquittoBroker(directory: directory)
        let subscriber = try await Subscriber(broker)
        let udp = try LoopbackPort.free()
        let agent = try AgentProcess(configuration("udp://127.0.0.1:\(udp)", broker), directory: directory)
        let sender = try DatagramSender(to: udp)
        #expect(await drive(sender.send, present) { subscriber.reports.count >= 5 }, "\(agent.log)")
        #expect(subscriber.reports.allSatisfy { $0.location.isReliable })
        #expect(await subscriber.sees { $0.state.availability == .available })
        // Nothing more comes.
        #expect(await subscriber.sees { $0.state.availability == .unavailable(.providerDown) })
        #expect(agent.log.contains("nothing comes from udp://127.0.0.1:\(udp)"))
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0)
    }

    @Test(arguments: ["file", "redirected", "piped"])
    func everyPositionOfAFileArrivesBeforeTheEnd(way: String) async throws {
        let broker = try await MosquittoBroker(directory: directory)
        let subscriber = try await Subscriber(broker)
        let log = try directory.write((0..<500).map { Receiver.epoch($0) }.joined(), to: "drive.nmea")
        let text =
            configuration(way == "file" ? "file:\(log)" : "stdin", broker)
            + "\noutbox: { directory: \"\(directory.file("state").path)\" }\n"
        let file = try directory.write(text, to: "agent.yaml")
        let command = "\(BuiltProduct.path("fixcast-agent")) run --until-end -c \(file)"
        let agent = try ChildProcess(
            "sh", ["-c", way == "piped" ? "cat \(log) | \(command)" : "exec \(command) < \(log)"], directory: directory)
        #expect(await agent.wait(seconds: 60) == 0, "\(agent.standardError)")
        #expect(agent.standardError.contains(" 0 not delivered, 0 dropped"))
        #expect(await subscriber.sees { $0.state.agent == .stopped && $0.last == 500 })
        let tracked = subscriber.payloads("track").compactMap { try? TrackMessage(payload: $0) }.flatMap(\.reports)
        let times = Set((subscriber.reports + tracked).compactMap { $0.location.timestamp?.milliseconds })
        #expect(times == Set((0..<500).map { Receiver.noon + Int64($0) * 1000 }))
    }

    @Test func checkSaysWhatItCanAboutASource() async throws {
        func check(_ source: String) async throws -> (code: Int32?, said: String) {
            let file = try directory.write(
                "vehicle: v\nprovider: { type: nmea, nmea: { source: \"\(source)\" } }\n", to: "agent.yaml")
            let check = try ChildProcess(
                BuiltProduct.path("fixcast-agent"), ["check", "-c", file], directory: directory)
            return (await check.wait(), check.standardError)
        }
        let missing = try await check("file:\(directory.file("no.nmea").path)")
        #expect(missing.code == 66 && missing.said.contains("there is no such file"))
        let folder = try await check("file:\(directory.path)")
        #expect(folder.code == 66 && folder.said.contains("is a directory"))
        let unplugged = try await check("serial:/dev/no-such-port")
        #expect(unplugged.code == 0 && unplugged.said.contains("there is no such device; the agent looks for it"))
        let plugged = try await check("serial:\(port.path)")
        #expect(plugged.code == 0 && plugged.said.isEmpty)
        let log = try directory.write("", to: "log")
        let wrong = try await check("serial:\(log)")
        #expect(wrong.code == 0 && wrong.said.contains("is no serial port; a file is written file:PATH"))
    }
}
