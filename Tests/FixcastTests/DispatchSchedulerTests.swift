import Dispatch
import Fixcast
import Synchronization
import Testing

@Suite struct DispatchSchedulerTests {
    @Test func runsJobsInOrderOnItsQueue() async {
        let scheduler = DispatchScheduler()
        let seen = Mutex<[Int]>([])
        #expect(!scheduler.isCurrent)
        await withCheckedContinuation { continuation in
            for index in 0..<100 {
                scheduler.enqueue { seen.withLock { $0.append(scheduler.isCurrent ? index : -1) } }
            }
            scheduler.enqueue { continuation.resume() }
        }
        #expect(seen.withLock { $0 } == Array(0..<100))
    }

    @Test func runsATimerNotBeforeItsDeadlineAndNoneThatIsCancelled() async {
        let scheduler = DispatchScheduler()
        let cancelled = Mutex(false)
        let deadline = scheduler.now + .milliseconds(30)
        // On the scheduler's own context a cancellation holds at once, however late it comes.
        await withCheckedContinuation { continuation in
            scheduler.enqueue {
                scheduler.schedule(at: scheduler.now) { cancelled.withLock { $0 = true } }.cancel()
                continuation.resume()
            }
        }
        let (fired, isCurrent) = await withCheckedContinuation { continuation in
            _ = scheduler.schedule(at: deadline) {
                continuation.resume(returning: (scheduler.now, scheduler.isCurrent))
            }
        }
        #expect(fired >= deadline && isCurrent)
        #expect(!cancelled.withLock { $0 })
    }

    @Test func twoSchedulersDoNotTakeEachOtherForTheirOwn() async {
        let (one, two) = (DispatchScheduler(), DispatchScheduler())
        let isTwo = await withCheckedContinuation { continuation in
            one.enqueue { continuation.resume(returning: two.isCurrent) }
        }
        #expect(!isTwo)
    }
}
