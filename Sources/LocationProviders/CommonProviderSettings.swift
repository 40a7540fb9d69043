/// What every provider of this room is told.
public struct CommonProviderSettings: Equatable, Sendable {
    /// `provider.assume-accuracy`.
    public var assumption: AccuracyAssumption
    /// `provider.uere`: metres (68 %) of accuracy per unit of HDOP, where HDOP is all there is.
    public var uere: Double
    public var gpsdAccuracy: GPSDAccuracy

    public init(
        assumption: AccuracyAssumption = AccuracyAssumption(), uere: Double = 5,
        gpsdAccuracy: GPSDAccuracy = GPSDAccuracy()
    ) {
        self.assumption = assumption
        self.uere = uere
        self.gpsdAccuracy = gpsdAccuracy
    }
}
