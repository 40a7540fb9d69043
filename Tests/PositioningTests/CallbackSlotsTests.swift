import FixcastTestKit
import Positioning
import Synchronization
import Testing

@Suite struct CallbackSlotsTests {
    private let scheduler = ManualScheduler()
    private let slots: CallbackSlots

    init() { slots = CallbackSlots(scheduler: scheduler) }

    private func place(_ index: Int) -> Location {
        Location(coordinate: Coordinate(latitude: Double(index), longitude: 1), horizontalAccuracy: 5)
    }

    /// Sets a recorder's callbacks and remembers what the source is told.
    private func attach(_ recorder: EventRecorder, activity: @escaping @Sendable (Bool) -> Void = { _ in }) {
        slots.replace(
            location: recorder.locationCallback, availability: recorder.availabilityCallback, activityChanged: activity)
    }

    private func run(_ job: @escaping @Sendable (CallbackSlots) -> Void) {
        scheduler.enqueue { [slots] in job(slots) }
        scheduler.runPending()
    }

    @Test func theSourceIsToldOnlyWhenSomethingChanges() {
        let told = Mutex<[Bool]>([])
        let (first, second) = (EventRecorder(), EventRecorder())
        let activity: @Sendable (Bool) -> Void = { isActive in told.withLock { $0.append(isActive) } }
        attach(first, activity: activity)
        scheduler.runPending()
        attach(second, activity: activity)
        scheduler.runPending()
        // Off and on again before the scheduler came to it: nothing to close.
        slots.replace(location: nil, availability: nil, activityChanged: activity)
        attach(first, activity: activity)
        scheduler.runPending()
        slots.replace(location: nil, availability: nil, activityChanged: activity)
        scheduler.runPending()
        #expect(told.withLock { $0 } == [true, false])
        #expect(!slots.isActive)
    }

    @Test func availabilityIsUnknownAgainAfterTheSourceWasClosed() {
        let (first, second) = (EventRecorder(), EventRecorder())
        attach(first)
        scheduler.runPending()
        run { $0.report(.available) }
        slots.replace(location: nil, availability: nil) { _ in }
        scheduler.runPending()
        // A timer of the source that fires late is no news of an open one.
        run { $0.report(.unavailable(.noFix)) }
        #expect(slots.availability == .unknown)
        attach(second)
        scheduler.runPending()
        #expect(first.availabilities == [.unknown, .available])
        #expect(second.availabilities == [.unknown])
    }

    @Test func whatTheSourceReportsWhileOpeningIsTheFirstThingTold() {
        let recorder = EventRecorder()
        attach(recorder) { [slots] isActive in if isActive { slots.report(.available) } }
        scheduler.runPending()
        #expect(recorder.availabilities == [.available])
    }

    @Test func theSameAvailabilityTwiceIsNoEvent() {
        let recorder = EventRecorder()
        attach(recorder)
        scheduler.runPending()
        for availability in [Availability.available, .available, .unavailable(.noFix), .unavailable(.noFix)] {
            run { $0.report(availability) }
        }
        #expect(recorder.availabilities == [.unknown, .available, .unavailable(.noFix)])
    }

    @Test func newCallbacksHearTheAvailabilityBeforeTheFirstPosition() {
        let (first, second) = (EventRecorder(), EventRecorder())
        attach(first)
        scheduler.runPending()
        run { $0.report(.available) }
        // The position is enqueued before the new callbacks are set, and so runs before they are settled.
        scheduler.enqueue { [slots] in slots.deliver(place(1)) }
        attach(second)
        scheduler.runPending()
        #expect(second.events.first == .availability(.available))
        #expect(second.events.count == 2)
        #expect(first.events.count == 2)
    }

    @Test func eventsMadeInsideACallbackComeAfterIt() {
        let depth = Mutex(0)
        let recorder = EventRecorder { [slots] event in
            depth.withLock { depth in
                depth += 1
                #expect(depth == 1)
            }
            if case .location(let location) = event, location.coordinate.latitude < 3 {
                slots.report(location.coordinate.latitude == 1 ? .unavailable(.noFix) : .available)
                slots.deliver(place(Int(location.coordinate.latitude) + 1))
            }
            depth.withLock { $0 -= 1 }
        }
        attach(recorder)
        scheduler.runPending()
        run { $0.report(.available) }
        run { [slots] _ in slots.deliver(place(1)) }
        let kinds = recorder.events.map { if case .location(let it) = $0 { "\(it.isReliable)" } else { "change" } }
        // Each position is judged by the availability reported before it, though that was still waiting.
        #expect(kinds == ["change", "change", "true", "change", "false", "change", "true"])
    }

    @Test func oldClosuresAreReleasedWhereUserCodeMayRun() {
        final class Last: Sendable {
            let slots: CallbackSlots
            init(_ slots: CallbackSlots) { self.slots = slots }
            deinit { slots.replace(location: { _ in }, availability: nil, activityChanged: { _ in }) }
        }
        let last = Last(slots)
        slots.replace(location: { _ in _ = last }, availability: { _ in _ = last }, activityChanged: { _ in })
        scheduler.runPending()
        run { $0.deliver(Location(coordinate: Coordinate(latitude: 1, longitude: 1))) }
        slots.replace(location: nil, availability: nil) { _ in }
        scheduler.runPending()
        #expect(slots.lastLocation != nil)
    }

    @Test func thePlaceKnownBestIsKept() {
        let good = place(1)
        run { $0.remember(good) }
        #expect(slots.lastLocation == good)
        var noFix = place(2)
        noFix.fix = .none
        run { [noFix] in $0.deliver(noFix) }
        run { $0.deliver(Location(coordinate: Coordinate(latitude: 91, longitude: 0), horizontalAccuracy: 1)) }
        #expect(slots.lastLocation == good)
        run { $0.deliver(Location(coordinate: Coordinate(latitude: 4, longitude: 4))) }
        #expect(slots.lastLocation?.coordinate.latitude == 4)
        #expect(slots.lastLocation?.unreliable == [.accuracy, .providerUnavailable])
    }

    @Test func reliabilityMadeElsewhereTravelsUnchanged() {
        let recorder = EventRecorder()
        attach(recorder)
        scheduler.runPending()
        var remote = place(1)
        remote.unreliable = .clock
        run { [remote] in $0.deliverAsMade(remote) }
        #expect(recorder.locations == [remote])
    }

    @Test("rule 12: a batch is delivered whole and its last is current") func rule12ABatchIsDeliveredWhole() throws {
        let recorder = EventRecorder()
        attach(recorder)
        scheduler.runPending()
        run { $0.report(.available) }
        let batch = try LocationBatch((1...3).map(place))
        run { $0.deliver(batch) }
        #expect(recorder.locations == batch.locations)
        #expect(slots.lastLocation == batch.current)
    }

    private final class Remaining: Sendable {
        private let count: Mutex<Int>
        init(_ count: Int) { self.count = Mutex(count) }
        var isZero: Bool { count.withLock { $0 == 0 } }
        func decrement() { count.withLock { $0 -= 1 } }
    }

    /// Threads that run the source, replace callbacks, iterate and look, all at once.
    @Test func aStormOfThreadsLeavesRetiredCallbacksSilent() async {
        let provider = PushTestProvider(scheduler: scheduler)
        let others = Remaining(3)
        let late = await withTaskGroup(of: Int.self) { group in
            group.addTask { [scheduler] in
                var index = 0
                while !others.isZero {
                    index += 1
                    provider.setAvailability(index % 3 == 0 ? .unavailable(.noFix) : .available)
                    provider.push(place(index % 90))
                    scheduler.runPending()
                    await Task.yield()
                }
                return 0
            }
            for _ in 0..<2 {
                group.addTask {
                    var retired: [EventRecorder] = []
                    for _ in 0..<400 {
                        let recorder = EventRecorder { _ in _ = provider.lastLocation }
                        provider.setCallbacks(
                            locationCallback: recorder.locationCallback,
                            availabilityCallback: recorder.availabilityCallback)
                        provider.setDesiredAccuracy(.high)
                        await Task.yield()
                        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
                        recorder.retire()
                        retired.append(recorder)
                    }
                    others.decrement()
                    return retired.reduce(0) { $0 + $1.lateEvents.count }
                }
            }
            group.addTask {
                for _ in 0..<200 {
                    let consumer = Task { for await _ in provider.events() {} }
                    await Task.yield()
                    consumer.cancel()
                    await consumer.value
                }
                others.decrement()
                return 0
            }
            return await group.reduce(0, +)
        }
        #expect(late == 0)
    }
}
