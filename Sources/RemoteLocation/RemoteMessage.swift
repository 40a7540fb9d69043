public import FleetWire
public import MessageTransport
public import Positioning

/// A message of a vehicle, decoded.
public enum RemoteMessage: Equatable, Sendable {
    case location(Report, isRetained: Bool)
    case track(TrackMessage)
    case availability(AvailabilityMessage, isRetained: Bool)
    /// An empty payload: the broker was told to forget what it kept.
    case cleared(TopicKind)

    /// Reads a message that came on a topic of this kind; `nil` for kinds that say nothing of position or availability.
    public init?(_ message: IncomingMessage, _ kind: TopicKind) throws(WireError) {
        if message.payload.isEmpty {
            self = .cleared(kind)
            return
        }
        switch kind {
        case .location: self = .location(try Report(payload: message.payload), isRetained: message.retained)
        case .track: self = .track(try TrackMessage(payload: message.payload))
        case .availability:
            self = .availability(try AvailabilityJSON.decode(message.payload), isRetained: message.retained)
        case .health: return nil
        }
    }
}

extension RemoteVehicleMachine {
    /// Takes one message; `tell` is called for each of its outcomes, in order.
    public mutating func receive(
        _ message: RemoteMessage, now: MonotonicInstant, utc: UTCInstant?, _ tell: (Outcome) -> Void
    ) {
        switch message {
        case .location(let report, let isRetained):
            tell(receive(report, isRetained ? .retained : .live, now: now, utc: utc))
        case .track(let track):
            for report in track.reports { tell(receive(report, .track, now: now, utc: utc)) }
        case .availability(let availability, let isRetained):
            tell(receive(availability, isRetained: isRetained, now: now))
        case .cleared: break
        }
    }
}
