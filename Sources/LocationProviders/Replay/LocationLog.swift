public import Positioning

/// A recorded drive of any format that can be replayed, read without pace: to be evaluated or drawn.
public enum LocationLog {
    /// What a log tells, in its order.
    public enum Event: Equatable, Sendable {
        case fix(Location)
        /// The receiver said that it had no fix, or the recorded connection ended; with the time where it is known.
        case gap(UTCInstant?)
    }

    /// Reads the file to its end, a piece at a time.
    ///
    /// - Parameter settings: the file and what is done with its dates; pace and loop mean nothing here.
    public static func read(
        _ settings: ReplaySettings, common: CommonProviderSettings = CommonProviderSettings(),
        _ body: (Event) -> Void
    ) throws(ReplayError) {
        let reader = try LogReader(settings, common: common)
        while let record = try reader.next() {
            switch record.event {
            case .fix(var location):
                common.assumption.apply(to: &location)
                body(.fix(location))
            case .noFix, .lost: body(.gap(record.time))
            }
        }
    }

    /// All positions of a file.
    public static func locations(in file: String) throws(ReplayError) -> [Location] {
        var locations: [Location] = []
        try read(ReplaySettings(file: file)) { if case .fix(let location) = $0 { locations.append(location) } }
        return locations
    }
}
