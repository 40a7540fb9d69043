import FixcastTestKit
import Foundation
import LocationProviders
import Positioning
import Synchronization
import Testing

/// Two receivers on one real gpsd, at 54.5 and 51.5 degrees north, which go on talking as long as they are driven.
private final class TwoReceivers: Sendable {
    let daemon: GPSDaemon
    private let second = Mutex(0)

    init() async throws { daemon = try await GPSDaemon(devices: 2) }

    /// Lets `active` receivers say an epoch each until `condition` holds.
    func drive(_ active: [Int] = [0, 1], seconds: Double = 40, until condition: @Sendable () -> Bool) async -> Bool {
        await eventually(seconds: seconds) {
            if condition() { return true }
            let now = self.second.withLock { second in
                defer { second += 1 }
                return second % 3600
            }
            for device in active { self.daemon.feed(Self.epoch(now, device), device: device) }
            try? await Task.sleep(nanoseconds: 60_000_000)
            return condition()
        }
    }

    private static func epoch(_ second: Int, _ device: Int) -> String {
        let time = String(format: "12%02d%02d.00", second / 60, second % 60)
        let latitude = device == 0 ? "5430.0000" : "5130.0000"
        return nmea("GPGGA,\(time),\(latitude),N,00330.0000,E,1,08,1.\(device),10.0,M,45.0,M,,")
            + nmea("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,2.0,1.\(device),1.6")
            + nmea("GPRMC,\(time),A,\(latitude),N,00330.0000,E,36.0,0.0,301126,,,A")
    }

    private static func nmea(_ body: String) -> String {
        String(format: "$%@*%02X\r\n", body, Int(body.utf8.reduce(0, ^)))
    }
}

extension GPSDScene {
    /// The receivers of the positions told so far: 0 in the north, 1 in the south.
    fileprivate var receivers: [Int] { locations.map { $0.coordinate.latitude > 53 ? 0 : 1 } }
    fileprivate var lastReceiver: Int? { receivers.last }
}

@Suite(.serialized) struct GPSDDevicesTests {
    @Test func twoReceiversOnOneGpsdDoNotMix() async throws {
        let receivers = try await TwoReceivers()
        let scene = try GPSDScene(port: receivers.daemon.port)
        #expect(await receivers.drive { scene.locations.count >= 10 })
        let first = try #require(scene.receivers.first)
        #expect(scene.receivers.allSatisfy { $0 == first })
        let times = scene.locations.compactMap(\.timestamp)
        #expect(times == times.sorted())
        #expect(Set(times).count == times.count)
        // The sky is the receiver's own: their HDOPs differ.
        #expect(scene.locations.compactMap(\.hdop).allSatisfy { abs($0 - (1 + Double(first) / 10)) < 0.01 })
    }

    @Test func whenTheFollowedReceiverFallsSilentTheOtherTakesOverAndStays() async throws {
        let receivers = try await TwoReceivers()
        let scene = try GPSDScene(port: receivers.daemon.port, fallback: .milliseconds(700))
        #expect(await receivers.drive([0]) { scene.isAvailable() })
        #expect(await receivers.drive { scene.locations.count >= 5 })
        #expect(scene.lastReceiver == 0)
        #expect(await receivers.drive([1]) { scene.lastReceiver == 1 })
        let address = "127.0.0.1:\(receivers.daemon.port)"
        #expect(scene.notices.last == .deviceChanged(address: address, device: receivers.daemon.path(of: 1)))
        let count = scene.locations.count
        #expect(await receivers.drive { scene.locations.count >= count + 10 })
        #expect(scene.receivers.suffix(10).allSatisfy { $0 == 1 })
        #expect(scene.isAvailable())
    }

    @Test func theConfiguredReceiverIsReturnedToWhenItIsRemovedAndAddedAgain() async throws {
        let receivers = try await TwoReceivers()
        let daemon = receivers.daemon
        let scene = try GPSDScene(
            port: daemon.port, device: daemon.path(of: 0), fallback: .seconds(1), comeback: .seconds(1))
        #expect(await receivers.drive { scene.lastReceiver == 0 && scene.locations.count >= 3 })
        try daemon.remove(device: 0)
        #expect(await receivers.drive([1]) { scene.lastReceiver == 1 })
        #expect(scene.isAvailable())
        try daemon.add(device: 0)
        #expect(await receivers.drive { scene.lastReceiver == 0 })
        #expect(scene.isAvailable())
        let changes = scene.notices.filter { if case .deviceChanged = $0 { true } else { false } }
        #expect(changes.count >= 2)
    }

    @Test("G12: with several receivers too gpsd may be killed and come back") func g12Restart() async throws {
        let receivers = try await TwoReceivers()
        let scene = try GPSDScene(port: receivers.daemon.port)
        #expect(await receivers.drive([1]) { scene.locations.count >= 2 })
        receivers.daemon.kill()
        #expect(await eventually { scene.availabilities.last == .unavailable(.providerDown) })
        try await receivers.daemon.restart()
        let before = scene.locations.count
        #expect(await receivers.drive(seconds: 60) { scene.locations.count > before })
        #expect(scene.lastReceiver == 1, "the receiver that was followed is followed again")
    }

    @Test("S1: the last location asks gpsd, also while nobody tracks") func s1LastLocation() async throws {
        let receivers = try await TwoReceivers()
        let daemon = receivers.daemon
        let tracking = try GPSDScene(port: daemon.port)
        #expect(await receivers.drive([1]) { tracking.locations.count >= 3 })
        let known = try #require(tracking.provider.lastLocation)

        // Nobody ever tracked here: gpsd is asked, and no event comes of it.
        let asking = try GPSDScene(port: daemon.port, follows: false)
        let answer = try #require(asking.provider.lastLocation)
        #expect(answer.coordinate == known.coordinate)
        #expect(answer.timestamp == known.timestamp)
        #expect(answer.unreliable == .providerUnavailable)
        #expect(asking.locations.isEmpty && asking.availabilities.isEmpty)

        // The receivers are silent: who begins to track knows the last position before the first event.
        let late = try GPSDScene(port: daemon.port)
        #expect(await eventually { late.provider.lastLocation?.timestamp == known.timestamp })
        #expect(late.locations.isEmpty)

        // On the loop nobody waits; what is known is there.
        let idle = try GPSDScene(port: daemon.port, follows: false)
        let onLoop = await idle.thread.run { idle.provider.lastLocation }
        #expect(onLoop == nil)
        _ = idle.provider.lastLocation
        #expect(await idle.thread.run { idle.provider.lastLocation }?.timestamp == known.timestamp)

        // gpsd is gone: what was last known stays.
        daemon.kill()
        try await Task.sleep(for: .seconds(1.1))
        #expect(asking.provider.lastLocation == answer)
    }

    @Test("S1: a gpsd that does not answer costs the one who asks half a second, and the loop nothing")
    func s1Mute() async throws {
        let server = try LineServer()
        let scene = try GPSDScene(port: server.port, follows: false)
        #expect(scene.provider.lastLocation == nil)
        #expect(server.accepted == 1)
        #expect(await eventually { server.connected == 0 })
        // Asked again at once, it is not asked again.
        for _ in 0..<100 { #expect(scene.provider.lastLocation == nil) }
        #expect(server.accepted <= 2)
    }
}
