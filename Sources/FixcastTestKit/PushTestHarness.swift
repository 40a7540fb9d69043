public import Positioning

/// Drives a ``PushTestProvider``, or one made from it, on a ``ManualScheduler``.
public final class PushTestHarness: ProviderHarness {
    public static let capabilities: HarnessCapabilities = [
        .chosenPositions, .unusableAccuracy, .incorrectCoordinates, .positionsWhileUnknown, .unavailability,
        .positionsWhileUnavailable, .batches,
    ]

    public let scheduler = ManualScheduler()
    public let source: PushTestProvider
    public let provider: any LocationProvider
    public let consumerPatience: Duration

    /// - Parameter wrap: makes the provider under test from the source and its scheduler.
    public init(
        consumerPatience: Duration = .seconds(10),
        wrap: (PushTestProvider, ManualScheduler) -> any LocationProvider = { provider, _ in provider }
    ) {
        self.consumerPatience = consumerPatience
        source = PushTestProvider(scheduler: scheduler)
        provider = wrap(source, scheduler)
    }

    public var isSourceOpen: Bool? { source.isOpen }
    public func inject(_ location: Location) async throws { source.push(location) }
    public func inject(batch: [Location]) async throws { source.push(batch: batch) }
    public func makeAvailable() async throws { source.setAvailability(.available) }
    public func makeUnavailable(_ reason: UnavailabilityReason) async throws {
        source.setAvailability(.unavailable(reason))
    }
    public func settle() async throws { scheduler.runPending() }
}
