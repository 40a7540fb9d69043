import FixcastTestKit
import Positioning
import Synchronization
import Testing

@testable import FixcastAgent

@Suite struct FirstOfProviderTests {
    static func make(
        _ sources: [(String, PushTestProvider)], _ scheduler: ManualScheduler,
        chosen: @escaping @Sendable (String) -> Void = { _ in }
    ) -> FirstOfProvider {
        FirstOfProvider(
            scheduler: scheduler, sources: sources.map { FirstOfProvider.Source(name: $0.0, provider: $0.1) },
            silence: .seconds(10), proof: .seconds(30), chosen: chosen)
    }

    /// Driven through the first of two sources, and through the second.
    @Test(arguments: ProviderConformance.rules(for: FirstOfHarness.capabilities), [true, false])
    func conforms(_ rule: ProviderConformance.Rule, first: Bool) async throws {
        try await rule.check(FirstOfHarness(first: first))
    }

    @Test func eachPositionNamesItsSourceAndTheChoiceIsTold() {
        let scheduler = ManualScheduler()
        let (roof, phone) = (PushTestProvider(scheduler: scheduler), PushTestProvider(scheduler: scheduler))
        let choices = Choices()
        let provider = Self.make([("roof", roof), ("phone", phone)], scheduler) { choices.append($0) }
        let recorder = EventRecorder()
        provider.setCallbacks(
            locationCallback: recorder.locationCallback, availabilityCallback: recorder.availabilityCallback)
        scheduler.runPending()
        let position = Location(
            coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: 3, timestamp: scheduler.utcNow)
        for source in [roof, phone] {
            source.setAvailability(.available)
            source.push(position)
        }
        scheduler.runPending()
        // The roof falls silent without a word.
        for _ in 0..<12 {
            scheduler.advance(by: .seconds(1))
            phone.push(position)
            scheduler.runPending()
        }
        #expect(recorder.locations.map(\.source) == ["roof", "phone", "phone", "phone"])
        #expect(recorder.availabilities == [.unknown, .available])
        #expect(choices.all == ["roof", "phone"])
        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        scheduler.runPending()
        #expect(!roof.isOpen && !phone.isOpen)
    }
}

private final class Choices: Sendable {
    private let names = Mutex<[String]>([])
    func append(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
}

/// Two pushed sources as one; the other one says nothing.
final class FirstOfHarness: ProviderHarness {
    static let capabilities = PushTestHarness.capabilities

    let scheduler = ManualScheduler()
    let source: PushTestProvider
    let provider: any LocationProvider

    init(first: Bool) {
        source = PushTestProvider(scheduler: scheduler)
        let other = PushTestProvider(scheduler: scheduler)
        provider = FirstOfProviderTests.make(
            first ? [("a", source), ("b", other)] : [("a", other), ("b", source)], scheduler)
    }

    var isSourceOpen: Bool? { source.isOpen }
    func inject(_ location: Location) async throws {
        // The sources open on the scheduler, one turn after their parent.
        scheduler.runPending()
        source.push(location)
    }
    func inject(batch: [Location]) async throws { source.push(batch: batch) }
    func makeAvailable() async throws { source.setAvailability(.available) }
    func makeUnavailable(_ reason: UnavailabilityReason) async throws { source.setAvailability(.unavailable(reason)) }
    func settle() async throws { scheduler.runPending() }
}
