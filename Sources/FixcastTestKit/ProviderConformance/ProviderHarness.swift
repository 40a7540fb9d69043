public import Positioning

/// Drives the source behind one fresh provider, so that ``ProviderConformance`` can state its rules: one instance per
/// check. Everything may be called from any task.
public protocol ProviderHarness: AnyObject, Sendable {
    /// The provider under test. Its source said nothing yet, so its availability is unknown.
    var provider: any LocationProvider { get }

    /// What the source can be made to do; rules that need more do not apply to it.
    static var capabilities: HarnessCapabilities { get }

    /// How long an effect may take in real time after ``settle()``: zero where `settle` is exact.
    var patience: Duration { get }

    /// How long an asynchronous consumer, or a callback that may never return, is waited for.
    var consumerPatience: Duration { get }

    /// The reason that ``makeUnavailable(_:)`` is asked for.
    var unavailabilityReason: UnavailabilityReason { get }

    /// Whether the source is open (rule 7), or `nil` where nobody can tell.
    var isSourceOpen: Bool? { get }

    /// A good position for the given place in a sequence: accurate, correct, each newer than the one before.
    func sample(_ index: Int) -> Location

    /// Makes the source produce `location`, as near as its medium can carry it: what it cannot carry is left out.
    /// Without ``HarnessCapabilities/chosenPositions``, a position of the source's own.
    func inject(_ location: Location) async throws

    /// Makes the source produce several positions at once, oldest to newest (rule 12).
    func inject(batch: [Location]) async throws

    /// Makes the source available, by a position of its own if it must.
    func makeAvailable() async throws

    /// Makes the source unavailable.
    func makeUnavailable(_ reason: UnavailabilityReason) async throws

    /// Returns when all that was caused so far has happened, its callbacks included, or after a deadline of its own.
    func settle() async throws

    /// Whether `delivered` is what became of `injected`.
    func matches(_ delivered: Location, _ injected: Location) -> Bool

    /// Frees what the harness holds.
    func shutDown() async
}

/// What a harness can make its source do.
public struct HarnessCapabilities: OptionSet, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Positions come out as they were injected (a simulator drives its own route).
    public static let chosenPositions = HarnessCapabilities(rawValue: 1)
    /// Accuracies that are missing, zero, negative or not finite can be injected.
    public static let unusableAccuracy = HarnessCapabilities(rawValue: 2)
    /// Coordinates out of range can be injected.
    public static let incorrectCoordinates = HarnessCapabilities(rawValue: 4)
    /// The source can produce positions before it first says whether it is available.
    public static let positionsWhileUnknown = HarnessCapabilities(rawValue: 8)
    /// The source can be made unavailable.
    public static let unavailability = HarnessCapabilities(rawValue: 16)
    /// The source can produce positions while it is unavailable.
    public static let positionsWhileUnavailable = HarnessCapabilities(rawValue: 32)
    /// The source can produce several positions at once.
    public static let batches = HarnessCapabilities(rawValue: 64)
    /// The source is a remote vehicle: the harness is a ``RemoteProviderHarness``.
    public static let reports = HarnessCapabilities(rawValue: 128)
}

extension ProviderHarness {
    public var patience: Duration { .zero }
    public var consumerPatience: Duration { max(patience, .seconds(10)) }
    public var unavailabilityReason: UnavailabilityReason { .noFix }
    public var isSourceOpen: Bool? { nil }

    public func sample(_ index: Int) -> Location {
        Location(
            coordinate: Coordinate(latitude: 52.5 + Double(index) / 1000, longitude: 13.4), horizontalAccuracy: 5,
            timestamp: UTCInstant(milliseconds: 1_796_010_000_000 + Int64(index) * 1000))
    }

    public func inject(batch: [Location]) async throws {
        for location in batch { try await inject(location) }
    }

    public func makeUnavailable(_ reason: UnavailabilityReason) async throws {}

    public func matches(_ delivered: Location, _ injected: Location) -> Bool {
        guard Self.capabilities.contains(.chosenPositions) else { return true }
        return abs(delivered.coordinate.latitude - injected.coordinate.latitude) < 2e-6
            && abs(delivered.coordinate.longitude - injected.coordinate.longitude) < 2e-6
            && delivered.timestamp == injected.timestamp
    }

    public func shutDown() async {}
}
