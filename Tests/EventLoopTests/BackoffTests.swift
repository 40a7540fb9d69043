import EventLoop
import Testing

@Suite struct BackoffTests {
    @Test func theCeilingDoublesUpToTheCap() {
        var backoff = Backoff(initial: 1000, maximum: 5000, stableAfter: 100)
        let delays = (0..<5).map { _ in backoff.next(random: 0.999_999) }
        #expect(delays == [999, 1999, 3999, 4999, 4999])
    }

    @Test func theDelayIsDrawnFromZeroToTheCeiling() {
        var backoff = Backoff(initial: 1000, maximum: 5000, stableAfter: 100)
        #expect(backoff.next(random: 0) == 0)
        #expect(backoff.next(random: 0.5) == 1000)
    }

    @Test func onlyAConnectionThatLastedResetsIt() {
        var backoff = Backoff(initial: 1000, maximum: 64_000, stableAfter: 100)
        for _ in 0..<4 { _ = backoff.next(random: 0) }
        backoff.connectionEnded(after: 99)
        #expect(backoff.next(random: 0.5) == 8000)
        backoff.connectionEnded(after: 100)
        #expect(backoff.next(random: 0.5) == 500)
    }

    @Test func theCeilingOfTheLastDelayIsTold() {
        var backoff = Backoff(initial: 1000, maximum: 3000, stableAfter: 100)
        #expect(backoff.ceiling == 0)
        let ceilings = (0..<3).map { _ in
            _ = backoff.next(random: 0)
            return backoff.ceiling
        }
        #expect(ceilings == [1000, 2000, 3000])
        backoff.connectionEnded(after: 100)
        #expect(backoff.ceiling == 0)
    }

    @Test func manyAttemptsDoNotOverflow() {
        var backoff = Backoff(initial: .max / 2, maximum: .max / 2, stableAfter: 100)
        for _ in 0..<200 { #expect(backoff.next(random: 0.9) > 0) }
    }
}
