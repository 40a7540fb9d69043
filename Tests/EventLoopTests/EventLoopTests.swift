import EventLoop
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite(.serialized) struct EventLoopTests {
    @Test func jobsFromOtherThreadsRunOnTheLoopInOrder() throws {
        let loop = try EventLoop()
        let seen = Mutex<[Int]>([])
        try BackgroundThread.start {
            for number in 0..<100 {
                loop.execute {
                    #expect(loop.isOnLoop)
                    seen.withLock { $0.append(number) }
                }
            }
            loop.execute { loop.stop() }
        }
        loop.run()
        #expect(seen.withLock { $0 } == Array(0..<100))
    }

    @Test func aTimerFiresAfterItsDeadlineAndACancelledOneNever() throws {
        let loop = try EventLoop()
        let start = EventLoop.now()
        var fired: [Int64] = []
        let cancelled = loop.schedule(at: start + 1_000_000) { Issue.record("cancelled, yet fired") }
        loop.schedule(at: start + 5_000_000) {
            fired.append(EventLoop.now() - start)
            loop.stop()
        }
        cancelled.cancel()
        loop.run()
        #expect(fired.count == 1)
        #expect(try #require(fired.first) >= 5_000_000)
    }

    @Test func aWatchedDescriptorIsServedUntilItsWatchIsCancelled() throws {
        let loop = try EventLoop()
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var received: [UInt8] = []
        var watch: Watch?
        watch = loop.watch(ends[0], for: .read) { ready in
            #expect(ready.contains(.read))
            var byte: UInt8 = 0
            #expect(unsafe read(ends[0], &byte, 1) == 1)
            received.append(byte)
            if byte == 2 {
                watch?.cancel()
                loop.schedule(at: EventLoop.now() + 2_000_000) { loop.stop() }
            }
        }
        var bytes: [UInt8] = [1, 2, 3]
        try #require(unsafe write(ends[1], &bytes, 3) == 3)
        loop.run()
        #expect(received == [1, 2])
    }

    @Test func aHandlerMayCancelTheWatchThatIsServedNext() throws {
        let loop = try EventLoop()
        var ends: [Int32] = [-1, -1]
        var others: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0 && pipe(&others) == 0)
        defer { for end in ends + others { close(end) } }
        var served = 0
        var watches: [Watch] = []
        for descriptor in [ends[0], others[0]] {
            watches.append(
                loop.watch(descriptor, for: .read) { _ in
                    served += 1
                    for watch in watches { watch.cancel() }
                    loop.stop()
                })
        }
        var byte: UInt8 = 0
        try #require(unsafe write(ends[1], &byte, 1) == 1 && write(others[1], &byte, 1) == 1)
        loop.run()
        #expect(served == 1)
    }

    @Test func aSignalIsHandledOnTheLoop() throws {
        let loop = try EventLoop()
        var handled = 0
        loop.onSignal(SIGUSR1) {
            handled += 1
            loop.stop()
        }
        loop.execute { kill(getpid(), SIGUSR1) }
        loop.run()
        #expect(handled == 1)
    }
}
