public import Positioning

/// A harness whose provider follows a vehicle through its reports: rules 17 to 19 can be stated with it.
public protocol RemoteProviderHarness: ProviderHarness {
    /// Sends a report of the vehicle with this identity, as its agent made it: `location.unreliable` travels as it is.
    ///
    /// - Parameter due: seconds within which the next report comes at the latest, as the report says.
    func inject(_ location: Location, boot: UInt64, sequence: UInt64, due: Double?) async throws

    /// Lets time pass: moves a manual clock, or waits.
    func advance(by duration: Duration) async throws
}
