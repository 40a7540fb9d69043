public import FleetWire

/// How a history asks for what it misses.
public struct HistorySettings: Equatable, Sendable {
    /// Who asks, stable per installation; `nil`: nobody does, the history only tells what is missing.
    public var subscriber: VehicleID?
    /// How long a gap may be filled by the track lane before it is asked for; begins again with each report that fills one.
    public var settle: Duration
    /// How long a reply is waited for.
    public var replyTimeout: Duration
    /// How long the next of the promised reports is waited for before they are asked for again.
    public var promiseTimeout: Duration
    /// The wait after an unanswered or refused request; doubled each time up to ``longestWait``.
    public var shortestWait: Duration
    public var longestWait: Duration

    public init(
        subscriber: VehicleID?, settle: Duration = .seconds(5), replyTimeout: Duration = .seconds(30),
        promiseTimeout: Duration = .seconds(120), shortestWait: Duration = .seconds(30),
        longestWait: Duration = .seconds(900)
    ) {
        self.subscriber = subscriber
        self.settle = settle
        self.replyTimeout = replyTimeout
        self.promiseTimeout = promiseTimeout
        self.shortestWait = shortestWait
        self.longestWait = longestWait
    }
}
