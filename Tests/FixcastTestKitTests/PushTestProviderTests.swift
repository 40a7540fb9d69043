import FixcastTestKit
import Testing

@Suite struct PushTestProviderTests {
    @Test(arguments: ProviderConformance.rules(for: PushTestHarness.capabilities))
    func conforms(_ rule: ProviderConformance.Rule) async throws { try await rule.check(PushTestHarness()) }
}
