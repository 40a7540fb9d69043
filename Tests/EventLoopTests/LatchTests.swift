import EventLoop
import Testing

@Suite struct LatchTests {
    @Test func itOpensForGood() throws {
        let latch = try Latch()
        #expect(!latch.wait(milliseconds: 0))
        #expect(!latch.wait(milliseconds: 1))
        latch.open()
        latch.open()
        #expect(latch.wait(milliseconds: 0))
        #expect(latch.wait(milliseconds: 1_000_000))
    }

    @Test func itLetsAWaitingThreadGo() throws {
        let (latch, done) = (try Latch(), try Latch())
        try BackgroundThread.start {
            if latch.wait(milliseconds: 60_000) { done.open() }
        }
        latch.open()
        #expect(done.wait(milliseconds: 60_000))
    }
}
