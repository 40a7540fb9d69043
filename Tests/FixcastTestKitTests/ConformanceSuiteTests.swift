import FixcastTestKit
import Positioning
import Testing

/// The conformance suite itself: each flaw breaks the rule it is named after.
@Suite struct ConformanceSuiteTests {
    @Test(arguments: Flaw.allCases)
    func noticesFlaw(_ flaw: Flaw) async throws {
        let rule = try #require(ProviderConformance.rules.first { $0.name.hasPrefix(flaw.rawValue) })
        let harness = PushTestHarness(consumerPatience: .milliseconds(300)) { FlawedProvider(flaw, $0, $1) }
        let failure = await #expect(throws: ConformanceFailure.self) { try await rule.check(harness) }
        #expect(failure?.rule == rule.name)
        (harness.provider as? FlawedProvider)?.letGo()
    }

    @Test func namesCarryTheNumberAndAreUnique() {
        let names = ProviderConformance.rules.map(\.name)
        #expect(Set(names).count == names.count)
        for rule in ProviderConformance.rules {
            #expect(rule.name.hasPrefix(rule.number < 10 ? "rule 0\(rule.number): " : "rule \(rule.number): "))
        }
        #expect(Set(ProviderConformance.rules.map(\.number)) == Set(Array(1...10) + [12, 17, 18, 19]))
    }

    @Test func rulesThatAHarnessCannotStateAreNotPassedSilently() async throws {
        let rule = try #require(ProviderConformance.rules.first { $0.number == 17 })
        #expect(!ProviderConformance.rules(for: PushTestHarness.capabilities).contains { $0.name == rule.name })
        await #expect(throws: ConformanceFailure.self) { try await rule.check(PushTestHarness()) }
    }
}
