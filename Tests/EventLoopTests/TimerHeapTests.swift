import Testing

@testable import EventLoop

@Suite struct TimerHeapTests {
    @Test func timersComeByDeadlineAndThenInTheOrderTheyWereMade() {
        var heap = TimerHeap()
        var fired: [String] = []
        for (name, deadline) in [("c", 30), ("a", 10), ("b1", 20), ("b2", 20), ("b3", 20)] {
            heap.insert(LoopTimer(Int64(deadline)) { fired.append(name) })
        }
        #expect(heap.popDue(9)?.deadline == nil)
        while let timer = heap.popDue(25) { timer.fire() }
        #expect(fired == ["a", "b1", "b2", "b3"])
        #expect(heap.nextDeadline == 30)
    }

    @Test func aCancelledTimerIsNoDeadline() {
        var heap = TimerHeap()
        let timer = LoopTimer(10) { Issue.record("cancelled, yet fired") }
        heap.insert(timer)
        timer.cancel()
        #expect(heap.nextDeadline == nil)
        #expect(heap.popDue(100)?.deadline == nil)
    }
}
