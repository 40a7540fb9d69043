#if canImport(CoreLocation)
public import CoreLocation
public import Positioning
internal import Synchronization

/// The positions of an Apple device (S2, SEMANTICS rules 11 to 13).
///
/// The app's Info.plist says why it wants to know (`NSLocationWhenInUseUsageDescription`); the user is asked when
/// somebody first tracks. ``lastLocation`` asks the system where it may: on the scheduler, while nobody tracks.
///
/// `@unchecked Sendable`: `slots`, `scheduler`, `settings`, `makeManager` and `warn` never change and are Sendable,
/// `accuracy` has its lock; everything else is touched on the scheduler's context alone, where CoreLocation calls the
/// manager's delegate because the manager was made there.
public final class CoreLocationProvider: LocationProvider, @unchecked Sendable {
    private let scheduler: any ProviderScheduler
    private let settings: CoreLocationSettings
    private let slots: CallbackSlots
    private let makeManager: @Sendable () -> CLLocationManager
    private let warn: @Sendable (CoreLocationWarning) -> Void
    private let accuracy = Mutex(DesiredAccuracy.medium)

    private var manager: CLLocationManager?
    private var delegate: CoreLocationDelegate?
    private var machine: CoreLocationMachine?
    private var timer: (deadline: MonotonicInstant, job: any ScheduledJob)?

    /// - Parameters:
    ///   - scheduler: a context with a run loop, as CoreLocation needs it: mostly that of the main queue.
    ///   - makeManager: makes the manager, on the scheduler, when somebody first tracks.
    ///   - warn: told what is odd, on the scheduler.
    public init(
        scheduler: any ProviderScheduler, settings: CoreLocationSettings = CoreLocationSettings(),
        makeManager: @escaping @Sendable () -> CLLocationManager = { CLLocationManager() },
        warn: @escaping @Sendable (CoreLocationWarning) -> Void = { _ in }
    ) {
        self.scheduler = scheduler
        self.settings = settings
        self.makeManager = makeManager
        self.warn = warn
        slots = CallbackSlots(scheduler: scheduler)
    }

    public var lastLocation: Location? {
        if scheduler.isCurrent, !slots.isActive {
            prepare()
            rememberSystemsLast()
        }
        return slots.lastLocation
    }

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            self?.setActive(isActive)
        }
    }

    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {
        let isNews = self.accuracy.withLock { old in
            defer { old = accuracy }
            return old != accuracy
        }
        guard isNews else { return }
        scheduler.enqueue { [weak self] in
            guard let self else { return }
            manager?.desiredAccuracy = self.accuracy.withLock { $0 }.platformAccuracy
        }
    }

    // MARK: On the scheduler

    private func setActive(_ isActive: Bool) {
        if isActive {
            prepare()
            rememberSystemsLast()
            perform(machine?.start())
        } else {
            perform(machine?.stop())
        }
    }

    /// Making a manager asks the user nothing.
    private func prepare() {
        guard self.manager == nil else { return }
        let manager = makeManager()
        let delegate = CoreLocationDelegate(self)
        self.manager = manager
        self.delegate = delegate
        machine = CoreLocationMachine(
            authorization: CoreLocationAuthorization(rawValue: manager.authorizationStatus.rawValue),
            patience: settings.patience)
        manager.desiredAccuracy = accuracy.withLock { $0 }.platformAccuracy
        manager.distanceFilter = settings.distanceFilter > 0 ? settings.distanceFilter : kCLDistanceFilterNone
        #if os(iOS)
        manager.activityType = .automotiveNavigation
        manager.pausesLocationUpdatesAutomatically = false
        manager.allowsBackgroundLocationUpdates = settings.permission == .always
        #endif
        manager.delegate = delegate
    }

    private func rememberSystemsLast() {
        guard let known = manager?.location.map(Location.init) else { return }
        if let last = slots.lastLocation?.timestamp, let time = known.timestamp, last >= time { return }
        var stamped = known
        stamped.unreliable = known.unreliability(while: slots.availability)
        slots.remember(stamped)
    }

    fileprivate func authorizationChanged(_ authorization: CoreLocationAuthorization) {
        perform(machine?.authorizationChanged(authorization))
    }

    fileprivate func failed(_ failure: CoreLocationFailure) {
        perform(machine?.failed(failure, now: scheduler.now))
    }

    fileprivate func updated(_ locations: [CLLocation]) {
        let isUsable = locations.last.map { Location($0).hasUsableAccuracy } ?? false
        guard let actions = machine?.updated(count: locations.count, isUsable: isUsable) else { return }
        perform(actions)
        if actions.delivers, let batch = try? LocationBatch(locations.map(Location.init)) { slots.deliver(batch) }
    }

    private func perform(_ actions: CoreLocationMachine.Actions?) {
        guard let actions else { return }
        for command in actions.commands { perform(command) }
        if let availability = actions.availability { slots.report(availability) }
        if let warning = actions.warning { warn(warning) }
        arm()
    }

    private func perform(_ command: CoreLocationMachine.Command) {
        switch command {
        case .requestAuthorization:
            switch settings.permission {
            case .whenInUse: manager?.requestWhenInUseAuthorization()
            case .always: manager?.requestAlwaysAuthorization()
            }
        case .startUpdating: manager?.startUpdatingLocation()
        case .stopUpdating: manager?.stopUpdatingLocation()
        }
    }

    private func arm() {
        guard timer?.deadline != machine?.deadline else { return }
        timer?.job.cancel()
        timer = machine?.deadline.map { deadline in
            let job = scheduler.schedule(at: deadline) { [weak self] in
                guard let self else { return }
                timer = nil
                perform(machine?.deadlinePassed(now: scheduler.now))
            }
            return (deadline, job)
        }
    }
}

/// Hands CoreLocation's calls on; the manager does not hold it, the provider does.
private final class CoreLocationDelegate: NSObject, CLLocationManagerDelegate {
    private weak var provider: CoreLocationProvider?

    init(_ provider: CoreLocationProvider) { self.provider = provider }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        provider?.authorizationChanged(CoreLocationAuthorization(rawValue: manager.authorizationStatus.rawValue))
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        provider?.updated(locations)
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        guard let error = error as? CLError else { return }
        provider?.failed(CoreLocationFailure(code: error.code.rawValue))
    }
}

extension DesiredAccuracy {
    /// S2 shows a map with the best accuracy, S3 guides with the one for navigation; a district is about a kilometre.
    var platformAccuracy: CLLocationAccuracy {
        switch self {
        case .low: kCLLocationAccuracyKilometer
        case .medium: kCLLocationAccuracyBest
        case .high: kCLLocationAccuracyBestForNavigation
        }
    }
}
#endif
