import FixcastTestKit
import FleetWire
import MessageTransport
import Positioning
import RemoteLocation
import Synchronization
import Testing

/// A phone made of messages.
final class OwnTracksHarness: ProviderHarness {
    static let capabilities: HarnessCapabilities = [.chosenPositions]

    let broker = InMemoryBroker()
    let scheduler = ManualScheduler()
    let transport: InMemoryTransport
    let follower: OwnTracksLocationProvider

    var provider: any LocationProvider { follower }
    var isSourceOpen: Bool? { follower.isOpen }

    init() {
        transport = InMemoryTransport(broker: broker, scheduler: scheduler)
        let told = Told()
        follower = OwnTracksLocationProvider(
            topic: "owntracks/anna/phone", staleAfter: .seconds(600), router: MessageRouter(transport: transport),
            scheduler: scheduler, notice: { told.append($0) })
        self.told = told
    }

    final class Told: Sendable {
        private let notices = Mutex<[RemoteNotice]>([])
        func append(_ notice: RemoteNotice) { notices.withLock { $0.append(notice) } }
        var all: [RemoteNotice] { notices.withLock { $0 } }
    }

    let told: Told

    func publish(_ text: String, retain: Bool = false) {
        broker.publish(OutgoingMessage(topic: "owntracks/anna/phone", payload: Array(text.utf8), retain: retain))
        scheduler.runPending()
    }

    func position(_ seconds: Int64, latitude: Double = 54.5, retain: Bool = false) {
        last.withLock { $0 = seconds }
        publish(
            #"{"_type":"location","lat":\#(latitude),"lon":3.5,"acc":9,"tst":\#(seconds)}"#, retain: retain)
    }

    /// The time of the newest position published.
    private let last = Mutex<Int64>(0)

    var now: Int64 { scheduler.utcNow!.milliseconds / 1000 }

    func sample(_ index: Int) -> Location {
        var location = Location(
            coordinate: Coordinate(latitude: 54.5, longitude: 3.5 + Double(index) / 1000), horizontalAccuracy: 9,
            timestamp: UTCInstant(milliseconds: (now + Int64(2 * index)) * 1000))
        location.source = "owntracks"
        return location
    }

    func inject(_ location: Location) async throws {
        scheduler.runPending()
        last.withLock { $0 = location.timestamp!.milliseconds / 1000 }
        publish(
            #"{"_type":"location","lat":\#(location.coordinate.latitude),"lon":\#(location.coordinate.longitude),"acc":\#(location.horizontalAccuracy!),"tst":\#(location.timestamp!.milliseconds / 1000)}"#
        )
    }
    func makeAvailable() async throws {
        scheduler.runPending()
        position(last.withLock { $0 } + 1)
    }
    func settle() async throws { scheduler.runPending() }
}

@Suite struct OwnTracksTests {
    @Test(arguments: ProviderConformance.rules(for: OwnTracksHarness.capabilities))
    func conforms(_ rule: ProviderConformance.Rule) async throws { try await rule.check(OwnTracksHarness()) }

    private func follow(_ harness: OwnTracksHarness) -> EventRecorder {
        let recorder = EventRecorder()
        harness.follower.setCallbacks(
            locationCallback: recorder.locationCallback, availabilityCallback: recorder.availabilityCallback)
        harness.scheduler.runPending()
        return recorder
    }

    @Test func whatTheBrokerKeptIsKnownAndNoNews() {
        let harness = OwnTracksHarness()
        harness.position(harness.now - 3600, retain: true)
        let recorder = follow(harness)
        #expect(recorder.locations == [])
        #expect(harness.follower.lastLocation?.coordinate.latitude == 54.5)
        harness.position(harness.now, latitude: 54.6)
        #expect(recorder.locations.map(\.coordinate.latitude) == [54.6])
        #expect(recorder.availabilities.last == .available)
    }

    @Test func silenceTheWillAndALostBrokerAreToldApart() {
        let harness = OwnTracksHarness()
        let recorder = follow(harness)
        harness.position(harness.now)
        harness.scheduler.advance(by: .seconds(599))
        #expect(recorder.availabilities.last == .available)
        harness.scheduler.advance(by: .seconds(1))
        #expect(recorder.availabilities.last == .unavailable(.stale))
        harness.position(harness.now)
        harness.publish(#"{"_type":"lwt","tst":1}"#)
        #expect(recorder.availabilities.last == .unavailable(.linkLost))
        harness.position(harness.now + 1)
        #expect(recorder.availabilities.last == .available)
        harness.transport.loseConnection()
        harness.scheduler.runPending()
        #expect(recorder.availabilities.last == .unavailable(.linkLost))
        harness.transport.reconnect()
        harness.scheduler.runPending()
        #expect(recorder.availabilities.last == .available)
    }

    @Test func olderRepeatedAndFuturePositionsAreNoNews() {
        let harness = OwnTracksHarness()
        let recorder = follow(harness)
        let now = harness.now
        for seconds in [now, now, now - 5, now + 400 * 86_400, now + 1] { harness.position(seconds) }
        #expect(recorder.locations.map(\.timestamp?.milliseconds) == [now * 1000, (now + 1) * 1000])
    }

    @Test func whatCannotBeReadIsToldWithoutCoordinates() {
        let harness = OwnTracksHarness()
        let recorder = follow(harness)
        harness.publish(#"{"_type":"location","lat":"54.5","lon":3.5,"tst":1}"#)
        harness.publish(#"{"_type":"encrypted","data":"x"}"#)
        harness.position(harness.now)
        #expect(harness.told.all.count == 2)
        #expect(harness.told.all.last == .encrypted(topic: "owntracks/anna/phone"))
        #expect(!"\(harness.told.all)".contains("54.5"))
        #expect(recorder.locations.count == 1)
    }
}
