public import FleetWire
public import MessageTransport

/// What a receiver of remote vehicles could not use; for logs.
public enum RemoteNotice: Equatable, Sendable {
    /// A payload that cannot be read, with an excerpt that holds no coordinates.
    case malformed(topic: String, WireError, excerpt: String)
    /// Payloads on this topic are encrypted: only their key opens them.
    case encrypted(topic: String)
    /// The broker refused the subscription to this filter.
    case subscriptionRefused(filter: String, ReasonCode)
}

/// What became of the messages of a vehicle, since its receiver was made.
public struct RemoteCounters: Equatable, Sendable {
    /// Reports that became the newest.
    public var accepted = 0
    public var duplicates = 0
    public var outdated = 0
    public var foreign = 0
    public var fromFuture = 0
    /// Payloads, and reports of a batch, that could not be read.
    public var malformed: [WireError.Code: Int] = [:]

    public init() {}

    mutating func count(_ outcome: RemoteVehicleMachine.Outcome) {
        if outcome.position != nil { accepted += 1 }
        switch outcome.refusal {
        case .duplicate: duplicates += 1
        case .outdated: outdated += 1
        case .foreign: foreign += 1
        case .fromFuture: fromFuture += 1
        case nil: break
        }
    }

    mutating func count(_ error: WireError) { malformed[error.code, default: 0] += 1 }
}
