import Positioning
import Reporting
import Testing

@Suite struct DataBudgetTests {
    let noon = UTCInstant(milliseconds: 1_796_040_000_000)

    func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

    @Test func theBoundWidensInStepsAsTheDayRunsShort() {
        var budget = DataBudget(bytesPerDay: 1000, start: at(0))
        var steps: [DataBudget.Step] = []
        for _ in 0..<100 {
            _ = budget.spend(10, now: at(1), utc: noon)
            if steps.last != budget.step { steps.append(budget.step) }
        }
        #expect(steps == [.free, .twice, .fourTimes, .eightTimes, .heartbeats])
        #expect(steps.map(\.factor) == [1, 2, 4, 8, 8])
        #expect(budget.used == 1000 && budget.left == 0)
        // It goes on counting, and never below nothing.
        #expect(budget.spend(500, now: at(2), utc: noon) == false)
        #expect(budget.left == 0)
    }

    @Test func midnightInUTCBeginsANewDay() {
        var budget = DataBudget(bytesPerDay: 1000, start: at(0))
        _ = budget.spend(990, now: at(0), utc: noon)
        #expect(budget.timePassed(now: at(43_199), utc: noon + .seconds(43_199)) == false)
        #expect(budget.timePassed(now: at(43_200), utc: noon + .seconds(43_200)) == true)
        #expect(budget.step == .free && budget.used == 0)
    }

    @Test func withoutAClockADayIsTwentyFourHours() {
        var budget = DataBudget(bytesPerDay: 1000, start: at(1000))
        _ = budget.spend(990, now: at(1000), utc: nil)
        #expect(budget.timePassed(now: at(87_399), utc: nil) == false)
        #expect(budget.timePassed(now: at(87_400), utc: nil) == true)
    }

    @Test func theClocksFirstWordAndAStepBackGiveNothingAway() {
        var budget = DataBudget(bytesPerDay: 1000, start: at(0))
        _ = budget.spend(990, now: at(0), utc: nil)
        #expect(budget.timePassed(now: at(60), utc: noon) == false)
        #expect(budget.timePassed(now: at(61), utc: noon + .seconds(-86_400)) == false)
        #expect(budget.step == .heartbeats)
        #expect(budget.timePassed(now: at(62), utc: noon + .seconds(86_400)) == true)
    }

    @Test func withoutALimitNothingBinds() {
        var budget = DataBudget(bytesPerDay: nil, start: at(0))
        #expect(budget.spend(1 << 40, now: at(0), utc: noon) == false)
        #expect(budget.step == .free && budget.used == 1 << 40)
    }
}
