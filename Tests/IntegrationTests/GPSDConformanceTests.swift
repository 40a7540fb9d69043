import FixcastTestKit
import Foundation
import LocationProviders
import Positioning
import Testing

/// The gpsd provider over a real socket to a server that speaks gpsd's protocol. JSON knows no NaN, so incorrect
/// coordinates are the unit tests' business.
final class GPSDHarness: ProviderHarness {
    static let capabilities: HarnessCapabilities = [
        .chosenPositions, .unusableAccuracy, .unavailability, .batches,
    ]

    let provider: any LocationProvider
    private let server: LineServer
    private let scene: GPSDScene

    init() throws {
        server = try LineServer(greeting: "{\"class\":\"VERSION\",\"proto_major\":3}\r\n")
        scene = try GPSDScene(port: server.port, follows: false)
        provider = scene.provider
    }

    var patience: Duration { .seconds(20) }
    var isSourceOpen: Bool? { server.connected > 0 }

    func inject(_ location: Location) async throws { try await inject(batch: [location]) }

    func inject(batch: [Location]) async throws { server.send(batch.map(line).joined()) }

    func makeAvailable() async throws {
        guard await connected() else { throw POSIXError(.ENOTCONN) }
        server.send(line(sample(-1)))
    }

    func makeUnavailable(_ reason: UnavailabilityReason) async throws {
        server.send("{\"class\":\"TPV\",\"mode\":1}\r\n")
    }

    func settle() async throws {
        // Across the socket and the loop, as far as can be told from here.
        await scene.thread.run {}
    }

    func shutDown() async {
        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        server.stop()
    }

    private func connected() async -> Bool { await eventually { self.server.received.hasSuffix("\n") } }

    private func line(_ location: Location) -> String {
        var line = "{\"class\":\"TPV\",\"mode\":3,\"lat\":\(location.coordinate.latitude)"
        line += ",\"lon\":\(location.coordinate.longitude)"
        if let time = location.timestamp {
            let date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            line += ",\"time\":\"\(formatter.string(from: date))\""
        }
        if let accuracy = location.horizontalAccuracy, accuracy.isFinite { line += ",\"eph\":\(accuracy / 0.62)" }
        return line + "}\r\n"
    }
}

@Suite(.serialized) struct GPSDConformanceTests {
    @Test(arguments: ProviderConformance.rules(for: GPSDHarness.capabilities))
    func conforms(_ rule: ProviderConformance.Rule) async throws { try await rule.check(try GPSDHarness()) }
}
