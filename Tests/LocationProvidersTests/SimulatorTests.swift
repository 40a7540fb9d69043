import FixcastTestKit
import Positioning
import Testing

@testable import LocationProviders

@Suite struct SimulatorTests {
    func drive(_ seconds: Int, seed: UInt64 = 1, rate: Double = 1) -> [(fix: Location, truth: Coordinate)] {
        var simulation = DriveSimulation(seed: seed, rate: rate)
        return (0..<Int(Double(seconds) * rate)).map { _ in
            defer { simulation.advance() }
            return (simulation.fix(at: nil), simulation.truth)
        }
    }

    @Test func theSameSeedIsTheSameDrive() {
        #expect(drive(300).map(\.fix) == drive(300).map(\.fix))
        #expect(drive(300).map(\.fix) != drive(300, seed: 2).map(\.fix))
    }

    @Test func theVehicleMovesAsVehiclesDo() {
        let rate = 10.0
        let drive = drive(1500, rate: rate)
        var (stops, fastest, wasStanding) = (0, 0.0, true)
        for (a, b) in zip(drive, drive.dropFirst()) {
            let speed = Geodesy.distance(a.truth, b.truth) * rate
            fastest = max(fastest, speed)
            if speed < 0.01, !wasStanding { stops += 1 }
            wasStanding = speed < 0.01
        }
        #expect(fastest > 15 && fastest < 23)
        #expect(stops >= 5)
        for (a, b) in zip(drive, drive.dropFirst()) {
            let change = ((b.fix.speed ?? 0) - (a.fix.speed ?? 0)) * rate
            // Half a metre per second is given up at once when it stops.
            #expect(abs(change) < 7)
        }
        // Round after round.
        let route = SimulatedRoute.town
        #expect(route.length > 5000 && route.length < 8000)
        let home = drive.dropFirst(Int(120 * rate)).filter { Geodesy.distance($0.truth, route.origin) < 1 }
        #expect(!home.isEmpty)
    }

    @Test func theStatedAccuracyIsTrueAndTheErrorWanders() {
        var (within, count, jump) = (0, 0, 0.0)
        for seed in 0..<40 {
            let drive = drive(600, seed: UInt64(seed))
            for (index, (fix, truth)) in drive.enumerated() {
                let error = Geodesy.distance(fix.coordinate, truth)
                count += 1
                if error <= fix.horizontalAccuracy ?? 0 { within += 1 }
                guard index > 0 else { continue }
                let before = Geodesy.distance(drive[index - 1].fix.coordinate, drive[index - 1].truth)
                jump = max(jump, abs(error - before))
            }
        }
        let share = Double(within) / Double(count)
        #expect(share > 0.62 && share < 0.74, "68 % of the errors are within the stated accuracy")
        #expect(jump < 3.5)
    }

    @Test func everyFixIsReliableOnceAvailableAndSaysThatItIsSimulated() {
        for (fix, _) in drive(400) {
            #expect(fix.intrinsicUnreliability.isEmpty)
            #expect(fix.isSimulated)
            #expect(fix.course == nil || (0..<360).contains(fix.course ?? 0))
            #expect((5...16).contains(fix.satellitesUsed ?? 0))
            #expect((0.7...2.5).contains(fix.hdop ?? 0))
            #expect(fix.horizontalAccuracy == (fix.hdop ?? 0) * 3)
        }
        #expect(drive(3).allSatisfy { $0.fix.course == nil && $0.fix.speed == 0 })
    }

    @Test func fixesComeOnTheGridDatedByTheTrustedClock() throws {
        let scheduler = ManualScheduler(utcNow: nil)
        let provider = try SimulatorProvider(scheduler: scheduler, settings: SimulatorSettings(rate: 4))
        let recording = Recording()
        recording.follow(provider)
        scheduler.runPending()
        #expect(recording.locations.count == 1)
        scheduler.setWallClock(noon)
        scheduler.advance(by: .seconds(2))
        #expect(recording.locations.map(\.timestamp) == [nil] + (1...8).map { noon + Double($0) / 4 })
        #expect(recording.availabilities.last == .available)
        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        scheduler.advance(by: .seconds(5))
        #expect(recording.locations.count == 9)
        #expect(provider.lastLocation == recording.locations.last)
    }
}
