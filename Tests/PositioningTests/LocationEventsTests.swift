import FixcastTestKit
import Foundation
import Positioning
import Synchronization
import Testing

@Suite struct LocationEventsTests {
    private let scheduler = ManualScheduler()

    private func place(_ latitude: Double) -> Location {
        Location(coordinate: Coordinate(latitude: latitude, longitude: 1), horizontalAccuracy: 5)
    }

    /// Holds on to every closure it was ever given, as a delivery under way on another thread does for a moment.
    private final class RetainingProvider: LocationProvider {
        let source: PushTestProvider
        private let kept = Mutex<[(LocationCallback?, AvailabilityCallback?)]>([])

        init(_ source: PushTestProvider) { self.source = source }
        var lastLocation: Location? { source.lastLocation }
        func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {}
        func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
            kept.withLock { $0.append((locationCallback, availabilityCallback)) }
            source.setCallbacks(locationCallback: locationCallback, availabilityCallback: availabilityCallback)
        }
    }

    /// The runtime holds a cancelled task's lock while it tells the handler, and a delivery that resumes the task takes
    /// the same one.
    @Test(.timeLimit(.minutes(1))) func cancellingWhileAnEventArrivesWaitsForNobody() async {
        for round in 0..<2000 {
            let scheduler = ManualScheduler()
            let provider = PushTestProvider(scheduler: scheduler)
            let isWaiting = Mutex(false)
            let consumer = Task {
                let events = provider.events()
                isWaiting.withLock { $0 = true }
                for await _ in events {}
            }
            while !isWaiting.withLock({ $0 }) { await Task.yield() }
            provider.setAvailability(.available)
            for latitude in 0..<40 { provider.push(place(Double(latitude))) }
            Thread.detachNewThread { scheduler.runPending() }
            // Somewhere in the middle of the deliveries.
            var spent = 0
            while spent < round % 200 * 50 { spent += 1 }
            consumer.cancel()
            await consumer.value
        }
    }

    @Test func aConsumerThatEndsDoesNotClearTheCallbacksOfTheNext() {
        let provider = RetainingProvider(PushTestProvider(scheduler: scheduler))
        let recorder = EventRecorder()
        do {
            let events = provider.events()
            provider.setCallbacks(
                locationCallback: recorder.locationCallback, availabilityCallback: recorder.availabilityCallback)
            withExtendedLifetime(events) {}
        }
        scheduler.runPending()
        provider.source.push(place(1))
        scheduler.runPending()
        #expect(recorder.locations.count == 1)
        #expect(provider.source.isOpen)
    }

    @Test func aSequenceThatIsNeverIteratedDisablesTrackingWhenItGoes() {
        let provider = PushTestProvider(scheduler: scheduler)
        do {
            let events = provider.events()
            scheduler.runPending()
            #expect(provider.isOpen)
            withExtendedLifetime(events) {}
        }
        scheduler.runPending()
        #expect(!provider.isOpen)
    }

    @Test func leavingTheLoopDisablesTracking() async {
        let provider = PushTestProvider(scheduler: scheduler)
        let events = provider.events()
        provider.setAvailability(.available)
        scheduler.runPending()
        for await event in events where event == .availability(.available) { break }
        scheduler.runPending()
        #expect(!provider.isOpen)
    }

    @Test func whatCameBeforeTheEndIsStillHandedOut() async {
        let provider = PushTestProvider(scheduler: scheduler)
        let iterator = provider.events().makeAsyncIterator()
        scheduler.runPending()
        provider.setAvailability(.available)
        provider.push(place(1))
        provider.push(place(2))
        scheduler.runPending()
        let recorder = EventRecorder()
        provider.setCallbacks(locationCallback: recorder.locationCallback, availabilityCallback: nil)
        #expect(await iterator.next() == .availability(.unknown))
        #expect(await iterator.next() == .availability(.available))
        #expect(await iterator.next() == .location(place(2)))
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        scheduler.runPending()
        #expect(provider.isOpen)
    }

    @Test func aNewSequenceFinishesTheOldOne() async {
        let provider = PushTestProvider(scheduler: scheduler)
        let old = provider.events().makeAsyncIterator()
        let new = provider.events().makeAsyncIterator()
        #expect(await old.next() == nil)
        scheduler.runPending()
        #expect(await new.next() == .availability(.unknown))
    }

    @Test func iteratingInACancelledTaskEnds() async {
        let provider = PushTestProvider(scheduler: scheduler)
        let task = Task {
            unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
            var count = 0
            for await _ in provider.events() { count += 1 }
            return count
        }
        #expect(await task.value == 0)
        scheduler.runPending()
        #expect(!provider.isOpen)
    }
}
