import Configuration
import Foundation
import Reporting
import Testing

@testable import FixcastAgent

/// `config/profiles` holds whole configurations that report as other trackers do.
@Suite struct ProfileConfigurationTests {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("config/profiles")

    private func settings(_ name: String) throws -> AgentSettings {
        try AgentSettings.read(file: Self.directory.appendingPathComponent(name).path, environment: [:])
    }

    @Test func eachIsAWholeConfigurationThatPromisesNothing() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
        #expect(names.sorted() == ["owntracks-like.yaml", "teltonika-like.yaml", "traccar-like.yaml"])
        for name in names {
            let policy = try settings(name).policy
            for profile in [policy.moving, policy.stationary] {
                #expect(profile.maxError == 0 && !profile.sendsEveryFix, "\(name)")
            }
        }
    }

    @Test func eachHasTheThresholdsOfItsTracker() throws {
        let ownTracks = try settings("owntracks-like.yaml").policy
        #expect(ownTracks.moving == .init(maxInterval: .seconds(300), maxError: 0, minDistance: 100))
        #expect(ownTracks.stationary == .init(maxInterval: .seconds(300), maxError: 0, minDistance: 100))
        #expect(ownTracks.checks.maxAccuracy == nil)
        let traccar = try settings("traccar-like.yaml").policy
        #expect(
            traccar.moving
                == .init(maxInterval: .seconds(300), maxError: 0, minDistance: 75, minHeadingChange: 30))
        let teltonika = try settings("teltonika-like.yaml").policy
        #expect(
            teltonika.moving
                == .init(
                    maxInterval: .seconds(300), maxError: 0, minDistance: 100, minHeadingChange: 10,
                    minSpeedChange: 10 / 3.6))
        #expect(teltonika.stationary.maxInterval == .seconds(3600) && teltonika.stationary.minDistance == 100)
    }
}
