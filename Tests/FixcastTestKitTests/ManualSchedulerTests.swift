import FixcastTestKit
import Positioning
import Synchronization
import Testing

@Suite struct ManualSchedulerTests {
    private let scheduler = ManualScheduler(
        now: MonotonicInstant(nanoseconds: 1_000_000_000), utcNow: UTCInstant(milliseconds: 5000))

    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test func jobsRunOnlyWhenToldAndInOrder() {
        let log = Log()
        scheduler.enqueue { [scheduler] in
            log.add("first \(scheduler.isCurrent)")
            scheduler.enqueue { log.add("made inside") }
        }
        scheduler.enqueue { log.add("second") }
        #expect(log.all.isEmpty)
        #expect(scheduler.runPending() == 3)
        #expect(log.all == ["first true", "second", "made inside"])
        #expect(!scheduler.isCurrent)
        #expect(scheduler.runPending() == 0)
    }

    @Test func timersFallDueInOrderAtTheirOwnInstant() {
        let log = Log()
        let start = scheduler.now
        for (name, seconds) in [("b", 2), ("a", 1), ("c", 2), ("late", 60)] {
            _ = scheduler.schedule(at: start + .seconds(seconds)) { [scheduler] in
                log.add("\(name) \((scheduler.now - start).inSeconds) \(scheduler.utcNow?.milliseconds ?? -1)")
                if name == "a" { _ = scheduler.schedule(at: start + .milliseconds(1500)) { log.add("made by a") } }
            }
        }
        #expect(scheduler.nextDeadline == start + .seconds(1))
        scheduler.advance(by: .seconds(10))
        #expect(log.all == ["a 1.0 6000", "made by a", "b 2.0 7000", "c 2.0 7000"])
        #expect(scheduler.now == start + .seconds(10))
        #expect(scheduler.utcNow == UTCInstant(milliseconds: 15000))
        #expect(scheduler.nextDeadline == start + .seconds(60))
    }

    @Test func aCancelledTimerDoesNotRun() {
        let log = Log()
        let timer = scheduler.schedule(at: scheduler.now + .seconds(1)) { log.add("ran") }
        timer.cancel()
        timer.cancel()
        #expect(scheduler.nextDeadline == nil)
        scheduler.advance(by: .seconds(2))
        #expect(log.all.isEmpty)
    }

    @Test func theWallClockStepsAlone() {
        let now = scheduler.now
        scheduler.setWallClock(nil)
        scheduler.advance(by: .seconds(1))
        #expect(scheduler.utcNow == nil)
        scheduler.setWallClock(UTCInstant(milliseconds: -3_600_000))
        #expect(scheduler.utcNow == UTCInstant(milliseconds: -3_600_000))
        #expect(scheduler.now == now + .seconds(1))
    }

    private final class Counter: Sendable {
        private let state = Mutex((running: 0, worst: 0, count: 0))
        var worst: Int { state.withLock { $0.worst } }
        var count: Int { state.withLock { $0.count } }
        func enter() {
            state.withLock { state in
                state.running += 1
                state.worst = max(state.worst, state.running)
            }
        }
        func leave() {
            state.withLock { state in
                state.running -= 1
                state.count += 1
            }
        }
    }

    @Test func jobsFromOtherThreadsAllRunOneAtATime() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { [scheduler] in
                    for _ in 0..<500 {
                        scheduler.enqueue {
                            counter.enter()
                            counter.leave()
                        }
                        scheduler.runPending()
                    }
                }
            }
        }
        scheduler.runPending()
        #expect(counter.count == 2000)
        #expect(counter.worst == 1)
    }
}
