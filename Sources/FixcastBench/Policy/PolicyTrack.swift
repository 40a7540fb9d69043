internal import Positioning

/// A recorded drive to run policies over.
struct PolicyTrack {
    var name: String
    /// Dated fixes, each later than the one before.
    var fixes: [Location]

    /// Metres, for drives whose receiver did not say (`provider.assume-accuracy`): without one nothing is reliable.
    static let assumedAccuracy = 5.0

    /// Keeps what can be judged: correct places whose time goes on.
    init(name: String, _ locations: [Location]) {
        self.name = name
        var newest = UTCInstant(milliseconds: .min)
        fixes = locations.filter { location in
            guard let time = location.timestamp, location.coordinate.isCorrect, time > newest else { return false }
            newest = time
            return true
        }
        for index in fixes.indices where fixes[index].horizontalAccuracy == nil {
            fixes[index].horizontalAccuracy = Self.assumedAccuracy
        }
    }

    /// Seconds since the first fix.
    func time(_ index: Int) -> Double { seconds(fixes[0], fixes[index]) }

    var hours: Double { fixes.isEmpty ? 0 : seconds(fixes[0], fixes[fixes.count - 1]) / 3600 }

    /// Whether the middle of the steps is a second: the kind that the goals are stated for.
    var isOneHertz: Bool {
        let steps = (1..<max(1, fixes.count)).map { seconds(fixes[$0 - 1], fixes[$0]) }.sorted()
        return steps.isEmpty ? false : abs(steps[steps.count / 2] - 1) < 0.2
    }

    private func seconds(_ a: Location, _ b: Location) -> Double {
        Double(b.timestamp!.milliseconds - a.timestamp!.milliseconds) / 1000
    }
}
