internal import Positioning

/// One record of a recorded drive.
struct LogRecord: Equatable, Sendable {
    enum Event: Equatable, Sendable {
        case fix(Location)
        /// The receiver said that it had no fix, then.
        case noFix
        /// The recorded connection to the source ended.
        case lost
    }

    var event: Event
    /// When it was, on the log's own clock: what sets the pace. `nil` where the log does not say.
    var time: UTCInstant?

    init(_ event: Event, at time: UTCInstant?) {
        self.event = event
        self.time = time
    }

    static func fix(_ location: Location) -> LogRecord { LogRecord(.fix(location), at: location.timestamp) }
    static func noFix(_ time: UTCInstant?) -> LogRecord { LogRecord(.noFix, at: time) }

    init(_ epoch: NMEAEpoch) {
        switch epoch {
        case .fix(let location): self = .fix(location)
        case .noFix(let time): self = .noFix(time)
        }
    }
}
