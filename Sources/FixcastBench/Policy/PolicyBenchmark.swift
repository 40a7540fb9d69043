internal import Evaluation
internal import LocationProviders
internal import Positioning
internal import Reporting
internal import TrackDrawing

/// What each policy costs on recorded drives, and how far off its receiver is.
struct PolicyBenchmark {
    static let bounds = [5.0, 10, 15, 50, 100]
    /// Drives that a machine made: shown, and left out of the pooled figures.
    static let synthetic = "berlin"

    /// One row of the table.
    struct Row {
        var name: String
        var outcome: DriveOutcome
    }

    let tracks: [PolicyTrack]

    /// Reads every log of a directory.
    init(directory: String) throws(BenchmarkError) {
        var tracks: [PolicyTrack] = []
        for name in try Files.names(in: directory) where !name.hasPrefix(".") {
            let locations: [Location]
            do throws(ReplayError) {
                locations = try LocationLog.locations(in: "\(directory)/\(name)")
            } catch {
                throw BenchmarkError("\(directory)/\(name) cannot be read: \(error)")
            }
            let track = PolicyTrack(name: name, locations)
            if track.fixes.count > 10 { tracks.append(track) }
        }
        self.tracks = tracks
    }

    /// The drives that are pooled.
    var real: [PolicyTrack] { tracks.filter { !$0.name.contains(Self.synthetic) } }

    /// The same default checks and heartbeats everywhere; only the bound and the way of predicting differ.
    static func policy(bound: Double, prediction: ReportingPolicy.Prediction) -> ReportingPolicy {
        var policy = ReportingPolicy.standard
        policy.checks.maxAccuracy = nil
        policy.moving.maxError = bound
        policy.stationary.maxError = bound
        policy.moving.prediction = prediction
        policy.stationary.prediction = prediction
        return policy
    }

    func rows(over tracks: [PolicyTrack]) -> [Row] {
        let thresholds = ThresholdPolicy.times + ThresholdPolicy.distances + ThresholdPolicy.peers
        var rows = thresholds.map { Row(name: $0.name, outcome: PolicyRun.run($0, over: tracks)) }
        for prediction in [ReportingPolicy.Prediction.lazy, .strict] {
            for bound in Self.bounds {
                rows.append(
                    Row(
                        name: "Fixcast \(prediction.rawValue), \(fixed(bound, 0)) m",
                        outcome: Self.run(Self.policy(bound: bound, prediction: prediction), over: tracks)))
            }
        }
        return rows
    }

    /// The optimum's messages over all tracks.
    func optimum(bound: Double, over tracks: [PolicyTrack]) -> Int {
        tracks.reduce(0) { $0 + OfflineOptimum(bound: bound).pieces(of: $1) }
    }

    static func run(_ policy: ReportingPolicy, over tracks: [PolicyTrack]) -> DriveOutcome {
        var outcome = DriveOutcome()
        for track in tracks {
            var evaluation = DriveEvaluation(policy: policy)
            for fix in track.fixes { evaluation.receive(fix) { _ in } }
            outcome.add(evaluation.outcome)
        }
        return outcome
    }
}
