/// Receives each position, reliable or marked with why it is not.
public typealias LocationCallback = @Sendable (Location) -> Void

/// Receives each change of availability.
public typealias AvailabilityCallback = @Sendable (Availability) -> Void

/// A source of positions, local or remote: the interface of seed document S1 with the rules of SEMANTICS. Every
/// implementation passes the conformance suite in `FixcastTestKit`.
///
/// Callbacks are called one at a time, in the order of the events, on the provider's ``ProviderScheduler``, and never
/// with a lock held. Everything here may be called from any thread, also from inside a callback.
public protocol LocationProvider: AnyObject, Sendable {
    /// Sets both callbacks, overwriting the previous ones, which are never called again once this returns (rule 6).
    ///
    /// Called from another thread, it waits for a callback that is running to return: do not hold a lock that the
    /// callback takes. The new availability callback is told the current availability, asynchronously. Both `nil`
    /// disables tracking and closes the source; one `nil` leaves it running (rule 7).
    func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?)

    /// A hint that never fails and may do nothing; legal at any time and kept across stop and start (rule 9).
    func setDesiredAccuracy(_ accuracy: DesiredAccuracy)

    /// The best known position, however old or unreliable; survives unavailability and stop (rule 10).
    var lastLocation: Location? { get }
}

extension LocationProvider {
    /// The S1 interface to the letter: availability collapsed to a `Bool`, false while unknown.
    public func setCallbacks(
        locationCallback: LocationCallback?, isAvailableCallback: @escaping @Sendable (Bool) -> Void
    ) {
        setCallbacks(locationCallback: locationCallback) { isAvailableCallback($0.isAvailable) }
    }
}

/// A provider whose source waits while its consumer is busy: nothing is lost, only later (rule 8). A live receiver's
/// socket holds what comes meanwhile; a replay stands still.
public protocol PausableLocationProvider: LocationProvider {
    /// Whether the consumer sets the pace altogether (a replay as fast as possible): it then also waits while there is
    /// no connection to deliver over, where a live source goes on.
    var isPacedByConsumer: Bool { get }

    /// Stops or resumes reading the source; idempotent, on the provider's scheduler only.
    func setPaused(_ paused: Bool)
}
