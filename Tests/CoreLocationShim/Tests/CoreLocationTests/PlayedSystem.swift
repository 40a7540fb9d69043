import AppProviders
import CoreLocation
import FixcastTestKit
import Positioning

/// The system as a test plays it. Touched on the test's scheduler alone.
final class PlayedSystem: CLLocationManager, @unchecked Sendable {
    var status = CLAuthorizationStatus.authorizedWhenInUse
    var known: CLLocation?
    private(set) var isUpdating = false
    private(set) var calls: [String] = []

    override var authorizationStatus: CLAuthorizationStatus { status }
    override var location: CLLocation? { known }

    override func requestWhenInUseAuthorization() { calls.append("ask when in use") }
    override func requestAlwaysAuthorization() { calls.append("ask always") }
    override func startUpdatingLocation() {
        calls.append("start")
        isUpdating = true
    }
    override func stopUpdatingLocation() {
        calls.append("stop")
        isUpdating = false
    }

    func authorize(_ status: CLAuthorizationStatus) {
        self.status = status
        delegate?.locationManagerDidChangeAuthorization(self)
    }
    func update(_ locations: [CLLocation]) { delegate?.locationManager(self, didUpdateLocations: locations) }
    func fail(_ code: CLError.Code) { delegate?.locationManager(self, didFailWithError: CLError(code)) }
}

extension CLLocation {
    /// A platform position with what a location has, and sentinels for what it has not.
    convenience init(_ location: Location) {
        self.init(
            coordinate: CLLocationCoordinate2D(
                latitude: location.coordinate.latitude, longitude: location.coordinate.longitude),
            altitude: location.altitude ?? 0, horizontalAccuracy: location.horizontalAccuracy ?? -1,
            verticalAccuracy: location.verticalAccuracy ?? -1, course: location.course ?? -1,
            courseAccuracy: location.courseAccuracy ?? -1, speed: location.speed ?? -1,
            speedAccuracy: location.speedAccuracy ?? -1,
            timestamp: Date(timeIntervalSince1970: Double(location.timestamp?.milliseconds ?? 0) / 1000),
            sourceInfo: CLLocationSourceInformation(
                softwareSimulationState: location.isSimulated, andExternalAccessoryState: false))
    }
}

/// Drives a provider on the played system.
final class CoreLocationHarness: ProviderHarness {
    static let capabilities: HarnessCapabilities = [
        .chosenPositions, .unusableAccuracy, .incorrectCoordinates, .unavailability, .batches,
    ]

    let scheduler = ManualScheduler()
    let system = PlayedSystem()
    let provider: any LocationProvider

    init() { provider = AppProviders.CoreLocationProvider(scheduler: scheduler, makeManager: { [system] in system }) }

    var isSourceOpen: Bool? { system.isUpdating }
    var unavailabilityReason: UnavailabilityReason { .permissionDenied }

    func inject(_ location: Location) async throws { try await inject(batch: [location]) }
    func inject(batch: [Location]) async throws {
        scheduler.enqueue { [system] in
            if system.isUpdating { system.update(batch.map { CLLocation($0) }) }
        }
    }
    func makeAvailable() async throws {
        scheduler.enqueue { [self] in
            system.authorize(.authorizedWhenInUse)
            system.update([CLLocation(sample(-1))])
        }
    }
    func makeUnavailable(_ reason: UnavailabilityReason) async throws {
        scheduler.enqueue { [system] in system.authorize(.denied) }
    }
    func settle() async throws { scheduler.runPending() }
}
