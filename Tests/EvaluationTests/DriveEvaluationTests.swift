import Evaluation
import Positioning
import Reporting
import Testing

@Suite struct DriveEvaluationTests {
    private func fix(_ seconds: Int64, north: Double) -> Location {
        Location(
            coordinate: Coordinate(latitude: 52 + north / 111_195, longitude: 13), horizontalAccuracy: 3,
            timestamp: UTCInstant(milliseconds: 1_796_040_000_000 + seconds * 1000))
    }

    /// Each fix at 10 m/s; a report every 100 m, and the receiver stands where the last one was.
    @Test func theReceiverKnowsWhatWasSent() {
        let policy = distanceOnly(99.5)
        var evaluation = DriveEvaluation(policy: policy)
        var sent: [UInt64] = []
        for second in 0..<101 {
            evaluation.receive(fix(Int64(second), north: 10 * Double(second))) { step in
                if case .sent(let report, let bytes) = step {
                    sent.append(report.identity.sequence)
                    #expect(bytes > 100)
                }
            }
        }
        #expect(sent == Array(1...11))
        #expect(evaluation.outcome.messages == 11)
        #expect(abs(evaluation.outcome.hours - 100.0 / 3600) < 1e-9)
        #expect(abs(evaluation.outcome.largestError - 100) < 0.1)
        #expect(abs(evaluation.outcome.errorPercentile(0.5) - 50) < 0.1)
        #expect(evaluation.outcome.errors.count == 100)
    }

    @Test func rejectionsAreToldAndWhatIsHeldIsSentAtTheEnd() {
        let policy = distanceOnly(1000)
        var evaluation = DriveEvaluation(policy: policy)
        var rules: [RejectionRule] = []
        for location in [fix(0, north: 0), fix(0, north: 0), fix(1, north: 1)] {
            evaluation.receive(location) { if case .rejected(_, let rejection) = $0 { rules.append(rejection.rule) } }
        }
        #expect(rules == [.duplicate])
        #expect(evaluation.outcome.messages == 1 && evaluation.outcome.rejected == 1)
        evaluation.finish { _ in }
        #expect(evaluation.outcome.messages == 2)
    }

    private func undated(north: Double) -> Location {
        var location = fix(0, north: north)
        location.timestamp = nil
        return location
    }

    /// A route without times: a second a point, as a replay paces it, not all at one moment.
    @Test func undatedPointsAreASecondApart() {
        var evaluation = DriveEvaluation(policy: distanceOnly(99.5))
        var sent = 0
        for second in 0..<101 {
            evaluation.receive(undated(north: 10 * Double(second))) { if case .sent = $0 { sent += 1 } }
        }
        #expect(sent == 11 && evaluation.outcome.rejected == 0)
        #expect(abs(evaluation.outcome.hours - 100.0 / 3600) < 1e-9)
        #expect(evaluation.outcome.errors.count == 100)
    }

    /// A receiver that finds its date late, after the release of this agent or before it: the dated fixes follow the
    /// undated ones and are told by their own times.
    @Test(arguments: [0, -400_000_000, 1000] as [Int64])
    func whatIsDatedFollowsWhatIsNot(offset: Int64) {
        var evaluation = DriveEvaluation(policy: distanceOnly(99.5))
        var last: Report?
        for second in 0..<50 { evaluation.receive(undated(north: 10 * Double(second))) { _ in } }
        for second in 50..<101 {
            evaluation.receive(fix(offset + Int64(second), north: 10 * Double(second))) {
                if case .sent(let report, _) = $0 { last = report }
            }
        }
        #expect(evaluation.outcome.rejected == 0 && evaluation.outcome.messages == 11)
        #expect(abs(evaluation.outcome.hours - 100.0 / 3600) < 1e-9)
        #expect(last?.location.timestamp == fix(offset + 100, north: 0).timestamp)
    }

    private func distanceOnly(_ metres: Double) -> ReportingPolicy {
        let profile = ReportingPolicy.Profile(maxInterval: .seconds(3600), maxError: 0, minDistance: metres)
        return ReportingPolicy(moving: profile, stationary: profile)
    }
}
