/// How a position was obtained, best last where they compare (WIRE.md, `fix`).
public enum FixType: Sendable, Hashable, CaseIterable {
    /// The source does not say.
    case unknown
    /// No position is known; coordinates that come with it are not to be believed.
    case none
    /// Dead reckoning: moved on from an earlier fix without satellites ("estimated").
    case deadReckoning
    /// Satellite fix without altitude.
    case twoD
    /// Satellite fix with altitude.
    case threeD
    /// Satellite fix with differential corrections.
    case differential
    /// Carrier-phase fix with float ambiguities.
    case rtkFloat
    /// Carrier-phase fix with fixed ambiguities.
    case rtkFixed
    /// Entered by hand or surveyed.
    case manual
}

/// What an altitude is measured from.
public enum AltitudeReference: Sendable, Hashable {
    case wgs84Ellipsoid
    case meanSeaLevel
}
