import EventLoop
import FixcastTestKit
import FleetWire
import Foundation
import LocationProviders
import MessageTransport
import MosquittoTransport
import Positioning
import RemoteLocation
import Synchronization
import Testing

/// The remote provider over a real broker: the rules of a local source hold for it (SEMANTICS).
@Suite(.timeLimit(.minutes(3))) struct RemoteBrokerConformanceTests {
    @Test(arguments: ProviderConformance.rules(for: RemoteVehicleHarness.capabilities))
    func conforms(_ rule: ProviderConformance.Rule) async throws {
        let broker = try await MosquittoBroker()
        let thread = try LoopThread()
        let isReady = Mutex(false)
        let vehicle = MosquittoTransport(configuration: broker.configuration("vehicle"), loop: thread.loop)
        vehicle.start { if case .connected = $0 { isReady.withLock { $0 = true } } }
        let isConnected = await eventually { isReady.withLock { $0 } }
        try #require(isConnected)
        // The provider's clock is set by hand, so that nothing waits for a report to become overdue.
        let clock = ManualScheduler()
        let harness = RemoteVehicleHarness(
            id: try VehicleID("van-042"), vehicle: vehicle,
            receiver: MosquittoTransport(configuration: broker.configuration("receiver"), loop: thread.loop),
            scheduler: clock, patience: .seconds(20), advance: { clock.advance(by: $0) })
        try await rule.check(harness)
    }
}

/// A remote provider for one vehicle, with what it told.
private final class Follower: Sendable {
    let provider: RemoteLocationProvider
    private let thread: LoopThread
    private let router: MessageRouter
    private let seen = Mutex<(availability: [Availability], locations: [Location])>(([], []))

    init(_ broker: MosquittoBroker, vehicle: String = "van-042") throws {
        thread = try LoopThread()
        router = MessageRouter(
            transport: MosquittoTransport(
                configuration: broker.configuration("follower-\(UUID().uuidString.prefix(6))"), loop: thread.loop))
        provider = RemoteLocationProvider(
            vehicle: try VehicleID(vehicle), router: router, scheduler: LoopScheduler(thread.loop))
        provider.setCallbacks(
            locationCallback: { [weak self] location in self?.seen.withLock { $0.locations.append(location) } },
            availabilityCallback: { [weak self] state in self?.seen.withLock { $0.availability.append(state) } })
    }

    deinit {
        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        router.stop()
    }

    var locations: [Location] { seen.withLock { $0.locations } }

    func becomes(_ availability: Availability, seconds: Double = 30) async -> Bool {
        await eventually(seconds: seconds) { self.seen.withLock { $0.availability.last } == availability }
    }
}

/// The main job: receiver, gpsd, agent, broker, and the same interface at the other end.
@Suite(.timeLimit(.minutes(3))) struct EndToEndTests {

    /// An epoch `second` seconds after noon today, as a receiver says it.
    private static func epoch(_ second: Int) -> String {
        let now = Date()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC")!
        let parts = calendar.dateComponents([.hour, .minute, .second, .day, .month, .year], from: now)
        let time = String(format: "%02d%02d%02d.%02d", parts.hour!, parts.minute!, parts.second!, second % 100)
        let date = String(format: "%02d%02d%02d", parts.day!, parts.month!, parts.year! % 100)
        let latitude = String(format: "5430.%04d", second % 1000)
        return [
            "GPGGA,\(time),\(latitude),N,00330.0000,E,1,08,1.0,10.0,M,45.0,M,,",
            "GPRMC,\(time),A,\(latitude),N,00330.0000,E,10.0,90.0,\(date),,,A",
        ].map { body in
            "$\(body)*\(String(format: "%02X", body.utf8.reduce(0, ^)))\r\n"
        }.joined()
    }

    @Test("killing gpsd, the broker or the agent leaves the truth at the other end", arguments: ["5", "3.1.1"])
    func theTruthArrives(version: String) async throws {
        let broker = try await MosquittoBroker()
        let gpsd = try await GPSDaemon()
        let configuration = """
            vehicle: van-042
            provider: { gpsd: { address: "127.0.0.1:\(gpsd.port)" } }
            checks: { max-age: 0s }
            reporting: { moving: { max-error: 0m, min-interval: 0s } }
            availability: { fix-loss-delay: 0s }
            mqtt: { url: "mqtt://127.0.0.1:\(broker.port)", version: \(version), keep-alive: 5s, will-delay: 0s }
            """
        let agent = try AgentProcess(configuration, directory: broker.directory)
        let follower = try Follower(broker)
        let feeding = Task {
            for second in 0... {
                gpsd.feed(Self.epoch(second))
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        defer { feeding.cancel() }
        #expect(await follower.becomes(.available), "\(agent.log)")
        let isFollowed = await eventually { follower.locations.count >= 3 }
        #expect(isFollowed)
        let location = try #require(follower.locations.last)
        #expect(abs(location.coordinate.latitude - 54.5) < 0.02 && abs(location.coordinate.longitude - 3.5) < 1e-6)
        #expect(location.source == "gpsd" && location.fix == .threeD && location.isReliable)

        gpsd.kill()
        #expect(await follower.becomes(.unavailable(.providerDown)), "\(agent.log)")
        try await gpsd.restart()
        #expect(await follower.becomes(.available), "\(agent.log)")

        broker.kill()
        #expect(await follower.becomes(.unavailable(.linkLost)))
        try await broker.restart()
        #expect(await follower.becomes(.available, seconds: 90), "\(agent.log)")

        agent.child.kill()
        #expect(await follower.becomes(.unavailable(.linkLost)))
        let next = try AgentProcess(configuration, directory: broker.directory)
        #expect(await follower.becomes(.available), "\(next.log)")
        next.child.send(SIGTERM)
        #expect(await next.child.wait() == 0)
        #expect(await follower.becomes(.unavailable(.stopped)))
        #expect(follower.provider.lastLocation != nil, "the last position stays known")
    }
}
