internal import Evaluation
internal import Positioning

/// Runs a threshold policy over a track.
enum PolicyRun {
    /// Bytes that a report of the usual length takes on the wire as JSON, QoS 1: topic, packet header and payload.
    static let reportBytes = 260

    static func run(_ policy: ThresholdPolicy, over track: PolicyTrack) -> DriveOutcome {
        var outcome = DriveOutcome(hours: track.hours)
        var last: Location?
        for fix in track.fixes {
            guard let sent = last else {
                outcome.messages += 1
                last = fix
                continue
            }
            outcome.errors.append(Geodesy.distance(fix.coordinate, sent.coordinate))
            if policy.sends(fix, after: sent) {
                outcome.messages += 1
                last = fix
            }
        }
        outcome.bytes = outcome.messages * reportBytes
        return outcome
    }

    static func run(_ policy: ThresholdPolicy, over tracks: [PolicyTrack]) -> DriveOutcome {
        var outcome = DriveOutcome()
        for track in tracks { outcome.add(run(policy, over: track)) }
        return outcome
    }

    /// The distance filter whose receiver is as far off at the 99th percentile as `error`, by bisection.
    static func distanceFilter(withError error: Double, over tracks: [PolicyTrack]) -> DriveOutcome {
        var (low, high) = (0.01, 10_000.0)
        for _ in 0..<40 {
            let middle = (low * high).squareRoot()
            let found = run(.distance(middle), over: tracks).errorPercentile(0.99)
            if found > error { high = middle } else { low = middle }
        }
        return run(.distance(low), over: tracks)
    }
}
