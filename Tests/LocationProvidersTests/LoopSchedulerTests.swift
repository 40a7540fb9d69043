import EventLoop
import Positioning
import Synchronization
import Testing

@testable import LocationProviders

@Suite struct LoopSchedulerTests {
    @Test func jobsAndTimersRunOnTheLoopInOrder() throws {
        let loop = try EventLoop()
        let scheduler = LoopScheduler(loop)
        let ran = Log()
        let start = scheduler.now
        _ = scheduler.schedule(at: start + .milliseconds(2)) {
            ran.append("late")
            loop.stop()
        }
        scheduler.schedule(at: start + .milliseconds(1)) { ran.append("cancelled") }.cancel()
        _ = scheduler.schedule(at: start) { ran.append("due") }
        scheduler.enqueue { ran.append(scheduler.isCurrent ? "job" : "elsewhere") }
        #expect(ran.entries.isEmpty)
        loop.run()
        #expect(ran.entries == ["job", "due", "late"])
        #expect(scheduler.now >= start + .milliseconds(2))
    }

    @Test func aClockFromBeforeTheReleaseIsNotTrusted() {
        #expect(ClockTrust.trusted(UTCInstant(milliseconds: 0)) == nil)
        #expect(ClockTrust.trusted(ClockTrust.floor + -1.0) == nil)
        #expect(ClockTrust.trusted(ClockTrust.floor) == ClockTrust.floor)
        #expect(ClockTrust.trusted(noon) == noon)
    }

    @Test func anAssumedAccuracyFillsGapsOnlyAndIsMarked() {
        func applied(_ accuracy: Double?, assuming metres: Double) -> Location {
            var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: accuracy)
            AccuracyAssumption(metres: metres).apply(to: &location)
            return location
        }
        for unusable in [nil, 0, -1, Double.nan, .infinity] {
            #expect(applied(unusable, assuming: 20).horizontalAccuracy == 20)
            #expect(applied(unusable, assuming: 20).isAccuracyAssumed)
            #expect(!applied(unusable, assuming: 0).isAccuracyAssumed)
        }
        #expect(applied(3, assuming: 20).horizontalAccuracy == 3)
        #expect(!applied(3, assuming: 20).isAccuracyAssumed)
    }

    private final class Log: Sendable {
        private let stored = Mutex<[String]>([])
        var entries: [String] { stored.withLock { $0 } }
        func append(_ entry: String) { stored.withLock { $0.append(entry) } }
    }
}
