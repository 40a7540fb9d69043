public import Positioning

/// What an OwnTracks client publishes on its topic, as far as a receiver of positions needs it (WIRE.md, Other
/// dialects).
public enum OwnTracksMessage: Equatable, Sendable {
    /// A position; its timestamp is `tst`, to the second.
    case location(Location)
    /// The client's will: the broker lost it.
    case lastWill
    /// An encrypted payload, which only its key opens.
    case encrypted
    /// Another `_type`: a transition, a waypoint, a card, …
    case other
}
