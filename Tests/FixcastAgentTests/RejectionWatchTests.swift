import Positioning
import Reporting
import Testing

@testable import FixcastAgent

@Suite struct RejectionWatchTests {
    private func stale(_ age: Double) -> Rejection { Rejection(rule: .stale, value: age, threshold: 10) }

    @Test func theTwentiethInARowIsToldOnce() {
        var watch = RejectionWatch()
        let told = (1...100).filter { watch.rejected(stale(Double($0))) }
        #expect(told == [20])
        watch.accepted()
        #expect((1...100).allSatisfy { _ in !watch.rejected(stale(60)) })
        let other = Rejection(rule: .jump, value: 900, threshold: 90)
        #expect((1...100).filter { _ in watch.rejected(other) }.count == 1)
    }

    @Test func rejectionsNowAndThenOrByDifferentChecksAreNotTold() {
        var watch = RejectionWatch()
        var told = 0
        for index in 0..<400 {
            if index % 20 == 19 { watch.accepted() } else if watch.rejected(stale(60)) { told += 1 }
        }
        for index in 0..<400 {
            let rule = index % 2 == 0 ? RejectionRule.stale : .inaccurate
            if watch.rejected(Rejection(rule: rule, value: 1, threshold: 0)) { told += 1 }
        }
        #expect(told == 0)
    }

    @Test(arguments: [RejectionRule.date, .stale, .future])
    func anOldDriveIsToldHowToBeReplayed(rule: RejectionRule) {
        let rejection = Rejection(rule: rule, value: 86_400.25, threshold: 10)
        let text = RejectionWatch.warning(rejection, replay: "provider")
        #expect(text.contains("86400.3 s") && text.hasSuffix("provider.replay.time: now"))
        #expect(!RejectionWatch.warning(rejection, replay: nil).contains("replay"))
    }

    @Test func everyRuleIsToldInWords() {
        for rule in RejectionRule.allCases {
            let text = RejectionWatch.warning(Rejection(rule: rule, value: .infinity, threshold: 0), replay: nil)
            #expect(text.contains("; ") && !text.hasSuffix("; "))
        }
    }
}
