import FixcastTestKit
import Positioning
import Testing

@testable import LocationProviders

/// The simulator chooses its own positions: one comes each second.
final class SimulatorHarness: ProviderHarness {
    static let capabilities: HarnessCapabilities = []

    let scheduler = ManualScheduler()
    let provider: any LocationProvider

    init() throws { provider = try SimulatorProvider(scheduler: scheduler) }

    func inject(_ location: Location) async throws { scheduler.advance(by: .seconds(1)) }
    func makeAvailable() async throws { scheduler.runPending() }
    func settle() async throws { scheduler.runPending() }
}

/// A log with a position each second.
final class ReplayHarness: ProviderHarness {
    static let capabilities: HarnessCapabilities = []

    let scheduler = ManualScheduler()
    let provider: any LocationProvider
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let lines = (0..<1000).map { second in
            let clock = "\(12 + second / 3600):\(pad(second / 60 % 60)):\(pad(second % 60))"
            return #"{"class":"TPV","mode":3,"time":"2026-11-30T\#(clock).000Z","lat":54.5,"lon":3.5,"eph":9}"#
        }
        let file = try directory.write(lines.joined(separator: "\n"), to: "drive.jsonl")
        provider = try ReplayProvider(scheduler: scheduler, settings: ReplaySettings(file: file, loops: true))
    }

    func inject(_ location: Location) async throws { scheduler.advance(by: .seconds(1)) }
    func makeAvailable() async throws { scheduler.runPending() }
    func settle() async throws { scheduler.runPending() }
}

private func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

@Suite struct ConformanceTests {
    @Test(arguments: ProviderConformance.rules(for: SimulatorHarness.capabilities))
    func simulator(_ rule: ProviderConformance.Rule) async throws { try await rule.check(try SimulatorHarness()) }

    @Test(arguments: ProviderConformance.rules(for: ReplayHarness.capabilities))
    func replay(_ rule: ProviderConformance.Rule) async throws { try await rule.check(try ReplayHarness()) }
}
