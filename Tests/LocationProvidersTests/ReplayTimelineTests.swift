import Positioning
import Testing

@testable import LocationProviders

@Suite struct ReplayTimelineTests {
    let start = MonotonicInstant(nanoseconds: 5_000_000_000)

    func dues(_ times: [Double?], speed: Double) -> [Double] {
        var timeline = ReplayTimeline(speed: speed, startsNow: false)
        return times.map { time in
            (timeline.due(time.map { noon + $0 }, now: start) - start).inSeconds
        }
    }

    @Test func recordsComeAtTheirPace() {
        #expect(dues([0, 1, 2.5, 60], speed: 1) == [0, 1, 2.5, 60])
        #expect(dues([0, 1, 2.5, 60], speed: 10) == [0, 0.1, 0.25, 6])
        #expect(dues([0, 1, 3, 61], speed: 0) == [0, 0, 0, 0])
    }

    @Test func recordsWithoutTimeFollowAndTimeGoingBackWaitsForNothing() {
        #expect(dues([nil, nil, 0, nil, 2, nil], speed: 1) == [0, 0, 0, 0, 2, 2])
        #expect(dues([0, 5, 1, 2, 6], speed: 1) == [0, 5, 5, 6, 10])
        // A receiver that finds its date is no gap of decades.
        #expect(dues([-1_000_000_000, 0, 1], speed: 1) == [0, 0, 1])
    }

    @Test func originalTimesStay() {
        var timeline = ReplayTimeline(speed: 1, startsNow: false)
        #expect(timeline.stamp(noon, utcNow: nil) == noon)
        #expect(timeline.stamp(nil, utcNow: noon) == nil)
    }

    @Test func nowShiftsTheFirstFixToThePresentAndKeepsTheShift() {
        var timeline = ReplayTimeline(speed: 1, startsNow: true)
        let present = noon + 86_400_000.0
        #expect(timeline.stamp(noon, utcNow: nil) == nil)
        #expect(timeline.stamp(noon + 1.0, utcNow: present) == present)
        #expect(timeline.stamp(noon + 3.0, utcNow: noon) == present + 2.0)
    }

    @Test(arguments: [false, true]) func loopedTimeGoesOnAtTheLogsStep(startsNow: Bool) {
        var timeline = ReplayTimeline(speed: 1, startsNow: startsNow)
        var (dues, stamps): ([Double], [Double]) = ([], [])
        for _ in 0..<3 {
            for second in [0.0, 2, 4] {
                dues.append((timeline.due(noon + second, now: start) - start).inSeconds)
                let stamp = timeline.stamp(noon + second, utcNow: noon)
                stamps.append(((stamp ?? noon + -1.0) - noon).inSeconds)
            }
            timeline.beginAgain()
        }
        #expect(dues == [0, 2, 4, 6, 8, 10, 12, 14, 16])
        #expect(stamps == dues)
    }

    @Test func standingStillMovesWhatIsDue() {
        var timeline = ReplayTimeline(speed: 1, startsNow: false)
        _ = timeline.due(noon, now: start)
        timeline.standStill(.seconds(100))
        #expect(timeline.due(noon + 1.0, now: start) == start + Duration.seconds(101))
    }
}
