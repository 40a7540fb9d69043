import FixcastTestKit
import Foundation
import LocationProviders
import Positioning
import Synchronization
import Testing

/// What a harness sends a receiver's sentences over.
protocol ReceiverLine: Sendable {
    init() throws
    var source: SourceAddress { get }
    func send(_ text: String)
}

struct SerialLine: ReceiverLine {
    private let directory: TemporaryDirectory
    private let port: PseudoTerminal

    init() throws {
        directory = try TemporaryDirectory()
        port = try PseudoTerminal(in: directory)
    }

    var source: SourceAddress { .serial(path: port.path, baud: .b115200) }
    func send(_ text: String) { port.send(text) }
}

struct DatagramLine: ReceiverLine {
    let source: SourceAddress
    private let sender: DatagramSender

    init() throws {
        let port = try LoopbackPort.free()
        source = .udp(address: "127.0.0.1", port: port)
        sender = try DatagramSender(to: port)
    }

    func send(_ text: String) { sender.send(text) }
}

/// The NMEA provider over a real line. NMEA has neither NaN nor coordinates beyond 90 and 180 degrees, so incorrect ones
/// are the unit tests' business.
final class NMEAHarness<Line: ReceiverLine>: ProviderHarness {
    static var capabilities: HarnessCapabilities {
        [.chosenPositions, .unusableAccuracy, .unavailability, .batches]
    }

    let provider: any LocationProvider
    private let line: Line
    private let scene: NMEAScene
    /// Bytes sent while the source was open, and how many of them came through.
    private let sent = Mutex(0)
    private let settled = Mutex(0)

    init() throws {
        line = try Line()
        scene = try NMEAScene(line.source, follows: false)
        provider = scene.provider
    }

    var patience: Duration { .seconds(20) }
    var isSourceOpen: Bool? { scene.isOpen }

    func inject(_ location: Location) async throws { try await inject(batch: [location]) }

    func inject(batch: [Location]) async throws { send(batch.map(sentences).joined()) }

    private func send(_ text: String) {
        if scene.isOpen { sent.withLock { $0 += text.utf8.count } }
        line.send(text)
    }

    func makeAvailable() async throws {
        guard await scene.isReading() else { throw POSIXError(.ENOTCONN) }
        send(sentences(sample(-1)))
    }

    func makeUnavailable(_ reason: UnavailabilityReason) async throws {
        send(Receiver.sentence("GPRMC,,V,,,,,,,,,,N"))
    }

    /// All that was sent was read, and an epoch that no other one ended is over.
    func settle() async throws {
        let count = sent.withLock { $0 }
        if count > settled.withLock({ $0 }) {
            _ = await eventually(seconds: 5) { self.scene.byteCount >= count }
            try await Task.sleep(for: .milliseconds(350))
            settled.withLock { $0 = count }
        }
        await scene.thread.run {}
    }

    func shutDown() async { provider.setCallbacks(locationCallback: nil, availabilityCallback: nil) }

    private func sentences(_ location: Location) -> String {
        let time = location.timestamp?.milliseconds ?? 0
        let (day, clock) = (time / 86_400_000, time % 86_400_000)
        let hours = String(
            format: "%02d%02d%06.3f", clock / 3_600_000, clock / 60_000 % 60, Double(clock % 60_000) / 1000)
        let position =
            angle(location.coordinate.latitude, "%02d%09.6f", "N", "S") + ","
            + angle(location.coordinate.longitude, "%03d%09.6f", "E", "W")
        let date = Date(timeIntervalSince1970: Double(day) * 86_400)
        let parts = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: date)
        let ddmmyy = String(format: "%02d%02d%02d", parts.day ?? 0, parts.month ?? 0, (parts.year ?? 0) % 100)
        var text = Receiver.sentence("GPGGA,\(hours),\(position),1,08,,10.0,M,45.0,M,,")
        // What is no number cannot be said, and what is not above zero is taken for unknown.
        if let accuracy = location.horizontalAccuracy, accuracy.isFinite, accuracy >= 0 {
            text += Receiver.sentence("GPGST,\(hours),,,,,\(accuracy),0.0,")
        }
        return text + Receiver.sentence("GPRMC,\(hours),A,\(position),0.0,,\(ddmmyy),,,A")
    }

    private func angle(_ degrees: Double, _ format: String, _ plus: String, _ minus: String) -> String {
        let magnitude = (abs(degrees) * 60e6).rounded() / 60e6
        let whole = Int(magnitude)
        return String(format: format, whole, (magnitude - Double(whole)) * 60) + "," + (degrees < 0 ? minus : plus)
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct NMEAConformanceTests {
    @Test(arguments: ProviderConformance.rules(for: NMEAHarness<SerialLine>.capabilities))
    func serial(_ rule: ProviderConformance.Rule) async throws { try await rule.check(try NMEAHarness<SerialLine>()) }

    @Test(arguments: ProviderConformance.rules(for: NMEAHarness<DatagramLine>.capabilities))
    func datagrams(_ rule: ProviderConformance.Rule) async throws {
        try await rule.check(try NMEAHarness<DatagramLine>())
    }
}
