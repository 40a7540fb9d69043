import AppProviders
import CoreLocation
import FixcastTestKit
import Positioning
import Synchronization
import Testing

/// A provider on the played system, with what it told.
private final class Scene: Sendable {
    let scheduler = ManualScheduler()
    let system = PlayedSystem()
    let provider: CoreLocationProvider
    private let journal = Journal()

    init(_ status: CLAuthorizationStatus = .authorizedWhenInUse, settings: CoreLocationSettings = .init()) {
        system.status = status
        provider = CoreLocationProvider(
            scheduler: scheduler, settings: settings, makeManager: { [system] in system },
            warn: { [journal] warning in journal.warnings.withLock { $0.append(warning) } })
    }

    var events: [ProviderEvent] { journal.events.withLock { $0 } }
    var locations: [Location] { events.compactMap { if case .location(let location) = $0 { location } else { nil } } }
    var availabilities: [Availability] {
        events.compactMap { if case .availability(let availability) = $0 { availability } else { nil } }
    }
    var warnings: [CoreLocationWarning] { journal.warnings.withLock { $0 } }

    func track() {
        provider.setCallbacks(
            locationCallback: { [journal] location in journal.events.withLock { $0.append(.location(location)) } },
            availabilityCallback: { [journal] news in journal.events.withLock { $0.append(.availability(news)) } })
        scheduler.runPending()
    }
    func rest() {
        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        scheduler.runPending()
    }
    func on(_ body: @escaping @Sendable (PlayedSystem) -> Void) {
        scheduler.enqueue { [system] in body(system) }
        scheduler.runPending()
    }
}

private final class Journal: Sendable {
    let events = Mutex<[ProviderEvent]>([])
    let warnings = Mutex<[CoreLocationWarning]>([])
}

private func position(_ second: Int, accuracy: Double? = 5) -> Location {
    Location(
        coordinate: Coordinate(latitude: 52.5, longitude: 13.4), horizontalAccuracy: accuracy,
        timestamp: UTCInstant(milliseconds: 1_796_010_000_000 + Int64(second) * 1000))
}

@Suite struct CoreLocationProviderTests {
    @Test(arguments: ProviderConformance.rules(for: CoreLocationHarness.capabilities))
    func conforms(_ rule: ProviderConformance.Rule) async throws { try await rule.check(CoreLocationHarness()) }

    @Test func theManagerIsSetUpAndTheUserAskedWhenSomebodyTracks() {
        let scene = Scene(.notDetermined, settings: CoreLocationSettings(permission: .always, distanceFilter: 25))
        #expect(scene.system.delegate == nil)
        scene.track()
        #expect(scene.system.calls == ["ask always"])
        #expect(scene.system.distanceFilter == 25)
        #expect(scene.system.desiredAccuracy == kCLLocationAccuracyBest)
        scene.on { $0.authorize(.authorizedAlways) }
        #expect(scene.system.calls == ["ask always", "start"])
        scene.on { $0.authorize(.authorizedAlways) }
        #expect(scene.system.calls == ["ask always", "start"])
    }

    @Test func deniedStopsAndBecomesUnavailableAndGrantedAgainRecovers() {
        let scene = Scene()
        scene.track()
        scene.on { $0.update([CLLocation(position(0))]) }
        scene.on { $0.fail(.denied) }
        scene.on { $0.authorize(.denied) }
        #expect(scene.system.calls == ["start", "stop"])
        scene.on { $0.update([CLLocation(position(1))]) }
        scene.on { $0.authorize(.authorizedWhenInUse) }
        scene.on { $0.update([CLLocation(position(2))]) }
        #expect(scene.system.calls == ["start", "stop", "start"])
        #expect(scene.availabilities == [.unknown, .available, .unavailable(.permissionDenied), .available])
        #expect(scene.locations.count == 2, "what comes while stopped is no news")
    }

    @Test func startStopStartResumes() {
        let scene = Scene()
        for _ in 0..<3 {
            scene.track()
            scene.track()
            scene.rest()
            scene.rest()
        }
        #expect(scene.system.calls == ["start", "stop", "start", "stop", "start", "stop"])
    }

    @Test func locationUnknownIsTransient() {
        let scene = Scene()
        scene.track()
        scene.on { $0.update([CLLocation(position(0))]) }
        scene.on { $0.fail(.locationUnknown) }
        scene.scheduler.advance(by: .seconds(9))
        scene.on { $0.fail(.locationUnknown) }
        #expect(scene.availabilities == [.unknown, .available])
        scene.scheduler.advance(by: .seconds(1))
        #expect(scene.availabilities == [.unknown, .available, .unavailable(.noFix)])
        #expect(scene.system.isUpdating)
        scene.on { $0.update([CLLocation(position(11))]) }
        #expect(scene.availabilities.last == .available)
        scene.on { $0.fail(.locationUnknown) }
        scene.on { $0.update([CLLocation(position(12))]) }
        scene.scheduler.advance(by: .seconds(60))
        #expect(scene.availabilities.last == .available)
    }

    @Test func sentinelsAreUnknownAndABatchIsDeliveredWhole() {
        let scene = Scene()
        scene.track()
        var whole = position(0)
        (whole.altitude, whole.verticalAccuracy) = (40, 3)
        (whole.course, whole.courseAccuracy, whole.speed, whole.speedAccuracy) = (0, 2, 0, 1)
        whole.isSimulated = true
        let batch = [CLLocation(whole), CLLocation(position(1, accuracy: nil))]
        scene.on { $0.update(batch) }
        whole.source = "corelocation"
        // The last of the batch is the current one, and its accuracy is unknown.
        #expect(scene.availabilities == [.unknown])
        whole.unreliable = .providerUnavailable
        #expect(scene.locations.first == whole)
        #expect(scene.locations.last?.horizontalAccuracy == nil)
        #expect(scene.locations.last?.altitude == nil)
        #expect(scene.locations.last?.unreliable == [.accuracy, .providerUnavailable])
        scene.on { $0.update([]) }
        scene.on { $0.fail(.network) }
        #expect(scene.warnings == [.emptyBatch, .failed(code: 2)])
        #expect(scene.locations.count == 2)
    }

    @Test(arguments: [
        (DesiredAccuracy.low, kCLLocationAccuracyKilometer), (.medium, kCLLocationAccuracyBest),
        (.high, kCLLocationAccuracyBestForNavigation),
    ])
    func desiredAccuracyIsMappedBeforeTheStartAndAfter(_ wanted: DesiredAccuracy, _ platform: Double) {
        let before = Scene()
        before.provider.setDesiredAccuracy(wanted)
        before.track()
        #expect(before.system.desiredAccuracy == platform)
        let after = Scene()
        after.track()
        after.provider.setDesiredAccuracy(wanted)
        after.scheduler.runPending()
        #expect(after.system.desiredAccuracy == platform)
    }

    @Test("S1: the last location asks the system") func lastLocation() {
        let scene = Scene()
        scene.system.known = CLLocation(position(5))
        #expect(scene.provider.lastLocation == nil, "from another thread it is what is known")
        scene.on { [provider = scene.provider] _ in
            #expect(provider.lastLocation?.timestamp == position(5).timestamp)
            #expect(provider.lastLocation?.unreliable == .providerUnavailable)
        }
        #expect(scene.provider.lastLocation?.timestamp == position(5).timestamp)
        // An older one does not displace it; tracking begins with what the system knows.
        scene.system.known = CLLocation(position(4))
        scene.track()
        #expect(scene.provider.lastLocation?.timestamp == position(5).timestamp)
        scene.system.known = CLLocation(position(9))
        scene.rest()
        scene.track()
        #expect(scene.provider.lastLocation?.timestamp == position(9).timestamp)
        #expect(scene.locations.isEmpty)
    }
}
