import Positioning
import Testing

@Suite struct InstantsTests {
    private let longest = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)

    @Test func sumsSaturateInsteadOfTrapping() {
        #expect(UTCInstant(milliseconds: .max) + .milliseconds(1) == UTCInstant(milliseconds: .max))
        #expect(UTCInstant(milliseconds: .min) + .milliseconds(-1) == UTCInstant(milliseconds: .min))
        #expect(MonotonicInstant(nanoseconds: .max) + .nanoseconds(1) == MonotonicInstant(nanoseconds: .max))
        #expect(MonotonicInstant(nanoseconds: .min) + .nanoseconds(-1) == MonotonicInstant(nanoseconds: .min))
        #expect(UTCInstant(milliseconds: 0) + longest == UTCInstant(milliseconds: .max))
        #expect(MonotonicInstant(nanoseconds: -5) + longest == MonotonicInstant(nanoseconds: .max - 5))
    }

    @Test func differencesOfExtremesAreExact() {
        let span = UTCInstant(milliseconds: .max) - UTCInstant(milliseconds: .min)
        #expect(span == .milliseconds(Int64.max) + .milliseconds(Int64.max) + .milliseconds(1))
        let nanoseconds = MonotonicInstant(nanoseconds: .min) - MonotonicInstant(nanoseconds: .max)
        #expect(nanoseconds == .nanoseconds(Int64.min) - .nanoseconds(Int64.max))
    }

    @Test func durationsRoundTowardsZeroAndSaturate() {
        #expect(Duration.nanoseconds(1_999_999).wholeMilliseconds == 1)
        #expect(Duration.nanoseconds(-1_999_999).wholeMilliseconds == -1)
        #expect(Duration.seconds(-1.5).wholeNanoseconds == -1_500_000_000)
        #expect(longest.wholeNanoseconds == .max)
        #expect(longest.wholeMilliseconds == .max)
        #expect((.zero - longest).wholeNanoseconds == .min)
        #expect(Duration.nanoseconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.milliseconds(1250).inSeconds == 1.25)
    }

    @Test func instantsMoveAndCompare() {
        let start = MonotonicInstant(nanoseconds: 10)
        #expect(start + .nanoseconds(-20) < start)
        #expect((start + .seconds(3)) - start == .seconds(3))
        #expect(UTCInstant(milliseconds: -1) < UTCInstant(milliseconds: 0))
    }
}
