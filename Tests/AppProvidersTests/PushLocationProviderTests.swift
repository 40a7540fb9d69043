import AppProviders
import FixcastTestKit
import Positioning
import Synchronization
import Testing

/// Drives the push source. What unavailability there is, the program says.
final class PushHarness: ProviderHarness {
    static let capabilities: HarnessCapabilities = [
        .chosenPositions, .unusableAccuracy, .incorrectCoordinates, .unavailability, .positionsWhileUnavailable,
        .batches,
    ]

    let scheduler = ManualScheduler()
    let push: PushLocationProvider
    var provider: any LocationProvider { push }

    init() {
        push = PushLocationProvider(scheduler: scheduler)
        push.open()
    }

    func inject(_ location: Location) async throws { try push.push(location) }
    func inject(batch: [Location]) async throws {
        // An empty batch cannot be made: that is its warning.
        guard let batch = try? LocationBatch(batch) else { return }
        try push.push(batch)
    }
    func makeAvailable() async throws { push.setAvailability(.available) }
    func makeUnavailable(_ reason: UnavailabilityReason) async throws { push.setAvailability(.unavailable(reason)) }
    func settle() async throws { scheduler.runPending() }
}

@Suite struct PushLocationProviderTests {
    @Test(arguments: ProviderConformance.rules(for: PushHarness.capabilities))
    func conforms(_ rule: ProviderConformance.Rule) async throws { try await rule.check(PushHarness()) }

    private let scheduler = ManualScheduler()
    private let place = Location(coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: 3)

    private func tracked(_ provider: PushLocationProvider) -> Heard {
        let heard = Heard()
        provider.setCallbacks(
            locationCallback: { location in heard.events.withLock { $0.append(.location(location)) } },
            availabilityCallback: { news in heard.events.withLock { $0.append(.availability(news)) } })
        scheduler.runPending()
        return heard
    }

    @Test func aClosedSourceTakesNothingAndHasNoPosition() throws {
        let provider = PushLocationProvider(scheduler: scheduler)
        #expect(throws: PushError.closed) { try provider.push(place) }
        #expect(throws: PushError.closed) { try provider.push(LocationBatch([place])) }
        #expect(provider.currentPosition == nil && provider.lastLocation == nil)
        provider.open()
        #expect(provider.currentPosition == nil)
        try provider.push(place)
        provider.open()
        #expect(provider.currentPosition == place, "opening an open source is harmless")
        scheduler.runPending()
        #expect(provider.lastLocation?.coordinate == place.coordinate, "known although nobody tracks")
        provider.close()
        provider.close()
        #expect(provider.currentPosition == nil && !provider.isOpen)
        #expect(throws: PushError.closed) { try provider.push(place) }
        scheduler.runPending()
        #expect(provider.lastLocation?.coordinate == place.coordinate)
        provider.open()
        #expect(provider.currentPosition == nil)
    }

    @Test func theFirstPositionMakesItAvailableAndClosingUnavailable() throws {
        let provider = PushLocationProvider(scheduler: scheduler)
        let heard = tracked(provider)
        provider.open()
        try provider.push(place)
        provider.close()
        provider.open()
        scheduler.runPending()
        #expect(heard.availabilities == [.unknown, .available, .unavailable(.stopped)])
        #expect(heard.locations == [place])
        try provider.push(place)
        scheduler.runPending()
        #expect(heard.availabilities.last == .available)
        // Who comes later is told how it is.
        #expect(tracked(provider).availabilities == [.available])
        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        scheduler.runPending()
        #expect(tracked(provider).availabilities == [.available])
    }

    @Test func aPositionWithoutAFixIsDeliveredMarkedAndItsSourceUnavailable() throws {
        let provider = PushLocationProvider(scheduler: scheduler)
        let heard = tracked(provider)
        provider.open()
        var lost = place
        lost.fix = .none
        try provider.push(lost)
        scheduler.runPending()
        #expect(heard.availabilities == [.unknown, .unavailable(.noFix)])
        #expect(heard.locations.first?.unreliable == [.noFix, .providerUnavailable])
    }

    @Test func whatTheProgramSaysOfAvailabilityHoldsUntilItSaysSoOrCloses() throws {
        let provider = PushLocationProvider(scheduler: scheduler)
        let heard = tracked(provider)
        provider.setAvailability(.available)
        provider.open()
        provider.setAvailability(.unavailable(.permissionDenied))
        try provider.push(place)
        scheduler.runPending()
        #expect(heard.availabilities == [.unknown, .unavailable(.permissionDenied)])
        #expect(heard.locations.first?.unreliable == .providerUnavailable)
        provider.close()
        provider.open()
        try provider.push(place)
        scheduler.runPending()
        #expect(heard.availabilities.suffix(2) == [.unavailable(.stopped), .available])
    }

    @Test func theHintIsThereForTheProgram() {
        let provider = PushLocationProvider(scheduler: scheduler)
        #expect(provider.desiredAccuracy == nil)
        provider.setDesiredAccuracy(.high)
        #expect(provider.desiredAccuracy == .high)
    }
}

private final class Heard: Sendable {
    let events = Mutex<[ProviderEvent]>([])
    var locations: [Location] {
        events.withLock { $0 }.compactMap { if case .location(let location) = $0 { location } else { nil } }
    }
    var availabilities: [Availability] {
        events.withLock { $0 }.compactMap { if case .availability(let news) = $0 { news } else { nil } }
    }
}
