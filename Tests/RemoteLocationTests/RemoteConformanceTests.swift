import FixcastTestKit
import Testing

@Suite struct RemoteConformanceTests {
    @Test(arguments: ProviderConformance.rules(for: RemoteVehicleHarness.capabilities))
    func conforms(_ rule: ProviderConformance.Rule) async throws {
        try await rule.check(RemoteVehicleHarness.inMemory())
    }
}
