import Evaluation
import Positioning
import Testing

@testable import FixcastBench

@Suite struct PolicyTests {
    /// One fix a second at these places, metres east and north.
    private func track(_ places: [(Double, Double)]) -> PolicyTrack {
        PolicyTrack(
            name: "drawn",
            places.enumerated().map { index, place in
                Location(
                    coordinate: Coordinate(
                        latitude: place.1 / 111_194.93, longitude: place.0 / 111_194.93), horizontalAccuracy: 3,
                    timestamp: UTCInstant(milliseconds: 1_796_040_000_000 + Int64(index) * 1000))
            })
    }

    @Test func aStraightMotionIsOnePieceAndACornerTwo() {
        let straight = (0..<100).map { (Double($0) * 10, 0.0) }
        let corner = straight + (1..<100).map { (990.0, Double($0) * 10) }
        #expect(OfflineOptimum(bound: 5).pieces(of: track(straight)) == 1)
        #expect(OfflineOptimum(bound: 5).pieces(of: track(corner)) == 2)
    }

    @Test func theOptimumUsesTheWholeBound() {
        // A zigzag of 8 m: within 4.1 m of its middle, and not within 3.9 m.
        let zigzag = (0..<50).map { (Double($0) * 10, $0.isMultiple(of: 2) ? 0.0 : 8.0) }
        #expect(OfflineOptimum(bound: 4.1).pieces(of: track(zigzag)) == 1)
        #expect(OfflineOptimum(bound: 3.9).pieces(of: track(zigzag)) > 5)
    }

    @Test func aDistanceFilterSendsByDistanceAndItsReceiverIsThatFarOff() {
        let drive = track((0..<1000).map { (Double($0) * 10, 0.0) })
        let outcome = PolicyRun.run(.distance(50), over: drive)
        #expect(outcome.messages == 1 + 999 / 5)
        #expect(abs(outcome.largestError - 50) < 0.1)
        #expect(abs(outcome.errorPercentile(0.2) - 10) < 0.1)
        let matched = PolicyRun.distanceFilter(withError: 50.5, over: [drive])
        #expect(matched.messages == outcome.messages)
    }

    @Test func thresholdsOfTimeAngleAndSpeed() {
        func fix(_ seconds: Int64, course: Double = 0, speed: Double = 10) -> Location {
            var location = Location(
                coordinate: Coordinate(latitude: 1, longitude: 1),
                timestamp: UTCInstant(milliseconds: seconds * 1000))
            (location.course, location.speed) = (course, speed)
            return location
        }
        let teltonika = ThresholdPolicy.peers[2]
        #expect(!teltonika.sends(fix(1), after: fix(0)))
        #expect(teltonika.sends(fix(300), after: fix(0)))
        #expect(teltonika.sends(fix(1, course: 355), after: fix(0, course: 5)))
        #expect(!teltonika.sends(fix(1, course: 355, speed: 1), after: fix(0, course: 5, speed: 1)))
        #expect(teltonika.sends(fix(1, speed: 13), after: fix(0)))
    }

    @Test func whatCannotBeJudgedIsLeftOut() {
        var locations = track([(0, 0), (10, 0), (20, 0)]).fixes
        locations.append(locations[0])
        locations.append(Location(coordinate: Coordinate(latitude: 99, longitude: 0)))
        #expect(PolicyTrack(name: "", locations).fixes.count == 3)
        #expect(PolicyTrack(name: "", locations).isOneHertz)
    }
}
