import Positioning
import Testing

@testable import LocationProviders

@Suite struct GPSDEpochGateTests {
    private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

    /// A position of second `second` with an accuracy and what `change` adds.
    private func location(_ second: Double, _ change: (inout Location) -> Void = { _ in }) -> Location {
        var location = Location(
            coordinate: Coordinate(latitude: 54.5, longitude: 3.5), horizontalAccuracy: 5, timestamp: noon + second)
        change(&location)
        return location
    }
    private func whole(_ second: Double) -> Location {
        location(second) { ($0.speed, $0.course, $0.altitude) = (4, 90, 12) }
    }

    @Test func whatComesInOneReportNeverWaits() {
        var gate = GPSDEpochGate()
        #expect(gate.begin(whole(0), now: at(0)) == .tell(whole(0)))
        #expect(gate.begin(whole(1), now: at(1)) == .tell(whole(1)))
        // It stands, and says no course: nothing to wait for.
        #expect(gate.begin(location(2), now: at(2)) == .tell(location(2)))
        #expect(gate.begin(location(2.1) { $0.horizontalAccuracy = nil }, now: at(2.1)) != .wait)
        #expect(gate.deadline == nil)
    }

    @Test func theFirstEpochIsCompletedInWhatIsKnown() {
        var gate = GPSDEpochGate()
        #expect(gate.begin(location(0), now: at(0)) == .tell(location(0)))
        #expect(gate.refine(whole(0), now: at(0.1)) == .remember(whole(0)))
        // The second epoch comes whole: gpsd knows the cycle now.
        #expect(gate.begin(whole(1), now: at(1)) == .tell(whole(1)))
        #expect(gate.begin(location(2), now: at(2)) == .tell(location(2)))
    }

    @Test func aReceiverThatAlwaysSplitsItsEpochsIsWaitedFor() {
        var gate = GPSDEpochGate()
        _ = gate.begin(location(0), now: at(0))
        _ = gate.refine(whole(0), now: at(0.1))
        for second in 1..<10 {
            let (start, end) = (Double(second), Double(second) + 0.3)
            #expect(gate.begin(location(start), now: at(start)) == .wait)
            #expect(gate.deadline == at(start + 0.5))
            #expect(gate.refine(whole(start), now: at(end)) == .tell(whole(start)))
            #expect(gate.deadline == nil)
            #expect(gate.flush() == nil)
        }
        // It stops, and the second report has no course either: two reports were an epoch, so it is complete.
        #expect(gate.begin(location(10), now: at(10)) == .wait)
        let standing = location(10) { $0.speed = 0 }
        #expect(gate.refine(standing, now: at(10.3)) == .tell(standing))
    }

    @Test func aRepeatedReportCountsToo() {
        var gate = GPSDEpochGate()
        _ = gate.begin(location(0), now: at(0))
        _ = gate.refine(whole(0), now: at(0.1))
        #expect(gate.begin(location(1), now: at(1)) == .wait)
        #expect(gate.countRepeated() == location(1))
        #expect(gate.countRepeated() == nil)
    }

    @Test func nothingWaitsLongerThanHalfAnEpochAndHalfASecond() {
        var gate = GPSDEpochGate()
        _ = gate.begin(location(0), now: at(0))
        _ = gate.refine(whole(0), now: at(0.01))
        _ = gate.begin(location(0.1), now: at(0.1))
        #expect(gate.deadline == at(0.15))
        #expect(gate.expire(now: at(0.149)) == nil)
        #expect(gate.expire(now: at(0.15)) == location(0.1))
        #expect(gate.expire(now: at(0.15)) == nil)
        // The rest comes late: it is remembered, and the next epoch does not wait for it.
        #expect(gate.refine(whole(0.1), now: at(0.19)) == .remember(whole(0.1)))
        #expect(gate.begin(location(0.2), now: at(0.2)) == .tell(location(0.2)))
        #expect(gate.refine(whole(0.2), now: at(0.29)) == .remember(whole(0.2)))
        #expect(gate.begin(location(0.3), now: at(0.3)) == .tell(location(0.3)))
    }

    @Test func theVeryFirstReportWaitsForAnAccuracy() {
        var gate = GPSDEpochGate()
        let blind = location(0) { $0.horizontalAccuracy = nil }
        #expect(gate.begin(blind, now: at(0)) == .wait)
        #expect(gate.deadline == at(0.5))
        #expect(gate.refine(location(0), now: at(0.02)) == .tell(location(0)))
        var never = GPSDEpochGate()
        #expect(never.begin(blind, now: at(0)) == .wait)
        #expect(never.flush() == blind)
        let next = location(1) { $0.horizontalAccuracy = nil }
        #expect(never.begin(next, now: at(1)) == .tell(next), "a receiver without accuracies is not waited for twice")
    }

    @Test func withoutATimeThereIsNoEpoch() {
        var gate = GPSDEpochGate()
        let undated = location(0) { ($0.timestamp, $0.horizontalAccuracy) = (nil, nil) }
        #expect(gate.begin(undated, now: at(0)) == .tell(undated))
    }
}
