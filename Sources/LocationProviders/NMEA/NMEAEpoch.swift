package import Positioning

/// What one epoch of a receiver said.
package enum NMEAEpoch: Equatable, Sendable {
    case fix(Location)
    /// With the time of the last sentence that had one.
    case noFix(UTCInstant?)
}
