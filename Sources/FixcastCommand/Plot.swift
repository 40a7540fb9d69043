internal import CommandLineOptions
internal import Evaluation
internal import LocationProviders
internal import Positioning
internal import Reporting
internal import TrackDrawing

/// `fixcast plot`: a recorded drive of any format as a picture.
struct Plot {
    static let command = Command(
        "plot", "Draw a recorded drive (NMEA, gpsd, GPX, CSV or a recording) as SVG on the standard output.",
        options: [
            Option("file", argument: "FILE", required: true, "the drive"),
            Option(
                "bound", argument: "METRES",
                "also draw what an agent with this error bound would send, and what a receiver predicts"),
        ])

    /// Metres an assumed receiver is accurate to, where the drive does not say: without one nothing is reliable.
    private static let assumedAccuracy = 5.0

    private let file: String
    private let bound: Double?

    init(_ invocation: Invocation) throws(WatchFailure) {
        file = invocation["file"] ?? ""
        bound = try invocation["bound"].map { text throws(WatchFailure) in
            guard let metres = Double(text), metres > 0, metres <= 100_000 else {
                throw WatchFailure(
                    code: .usage,
                    message: "--bound takes metres from above 0 to 100000, not '\(text)'; write for example 15")
            }
            return metres
        }
    }

    /// The picture.
    func svg() throws(ReplayError) -> String {
        var policy = ReportingPolicy.standard
        policy.moving.maxError = bound ?? 0
        policy.stationary.maxError = bound ?? 0
        var explanation = Explanation(title: file, policy: policy)
        let common = CommonProviderSettings(assumption: AccuracyAssumption(metres: Self.assumedAccuracy))
        try LocationLog.read(ReplaySettings(file: file), common: common) { event in
            switch event {
            case .fix(let location): explanation.receive(location)
            case .gap(let time): explanation.gap(at: time)
            }
        }
        explanation.finish()
        if bound != nil { return explanation.picture.svg() }
        var picture = TrackPicture(title: file, track: explanation.track)
        picture.caption = "\(explanation.fixes) positions"
        return picture.svg()
    }
}
