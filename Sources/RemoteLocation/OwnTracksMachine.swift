internal import FleetWire
internal import Positioning

/// What is known of one OwnTracks client: pure. OwnTracks has neither identities nor a promise of the next position, so
/// the order is that of the fixes' times, and silence is judged by a time that the consumer chooses.
struct OwnTracksMachine: Equatable, Sendable {
    /// What a position became.
    enum Position: Equatable, Sendable {
        case news(Location)
        /// The broker kept it from before: known, not news.
        case lastKnown(Location)
    }

    struct Outcome: Equatable, Sendable {
        var availability: Availability?
        var position: Position?
    }

    /// A time further ahead than this is no time (S02).
    static let tolerance = Duration.seconds(300)

    private let staleAfter: Duration
    private var isLinkUp = false
    /// The client's own state, whatever the link to the broker does.
    private var client = Availability.unknown
    private var newest: UTCInstant?
    private var deadline: MonotonicInstant?

    init(staleAfter: Duration) { self.staleAfter = staleAfter }

    /// When ``deadlinePassed(now:)`` is next to be called.
    var nextDeadline: MonotonicInstant? { deadline }

    private var availability: Availability { isLinkUp ? client : .unavailable(.linkLost) }

    /// The consumer came back: what was known of the client may have changed meanwhile.
    mutating func reopen() { (isLinkUp, client, deadline) = (false, .unknown, nil) }

    mutating func linkUp() -> Outcome {
        isLinkUp = true
        return Outcome(availability: availability)
    }

    mutating func linkDown() -> Outcome {
        isLinkUp = false
        return Outcome(availability: availability)
    }

    mutating func subscriptionRefused() -> Outcome {
        client = .unavailable(.permissionDenied)
        return Outcome(availability: availability)
    }

    mutating func receive(
        _ message: OwnTracksMessage, retained: Bool, now: MonotonicInstant, utc: UTCInstant?
    ) -> Outcome {
        switch message {
        case .location(let location): return take(location, retained, now, utc)
        case .lastWill where !retained:
            (client, deadline) = (.unavailable(.linkLost), nil)
            return Outcome(availability: availability)
        case .lastWill, .encrypted, .other: return Outcome()
        }
    }

    private mutating func take(
        _ location: Location, _ retained: Bool, _ now: MonotonicInstant, _ utc: UTCInstant?
    ) -> Outcome {
        guard let time = location.timestamp, newest.map({ time > $0 }) ?? true else { return Outcome() }
        if let utc, time - utc > Self.tolerance { return Outcome() }
        newest = time
        if retained { return Outcome(position: .lastKnown(location)) }
        (client, deadline) = (.available, now + staleAfter)
        return Outcome(availability: availability, position: .news(location))
    }

    mutating func deadlinePassed(now: MonotonicInstant) -> Outcome {
        guard let deadline, deadline <= now else { return Outcome() }
        (client, self.deadline) = (.unavailable(.stale), nil)
        return Outcome(availability: availability)
    }
}
