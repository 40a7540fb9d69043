public import Positioning

/// `provider.assume-accuracy`: what to take for the accuracy of a receiver that never says one. A position that gets it
/// is marked (WIRE.md, `haccAssumed`).
public struct AccuracyAssumption: Equatable, Sendable {
    /// Metres (68 % radius); 0 assumes nothing.
    public var metres: Double

    public init(metres: Double = 0) { self.metres = metres }

    /// Fills a missing or unusable horizontal accuracy (SEMANTICS rule 1); a usable one stays as measured.
    public func apply(to location: inout Location) {
        guard metres > 0, metres.isFinite, !location.hasUsableAccuracy else { return }
        location.horizontalAccuracy = metres
        location.isAccuracyAssumed = true
    }
}
