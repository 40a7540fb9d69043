/// gpsd's error estimates as this project's accuracies.
///
/// gpsd's `eph` and its like are 95 % figures (and `eph` is 19 x HDOP whatever the receiver says); ours are 68 % radii
/// and standard deviations. Where gpsd has no `eph`, hypot(`epx`, `epy`) takes its place and the same factor.
public struct GPSDAccuracy: Equatable, Sendable {
    /// 68 % radius over 95 % radius of a circular normal error, 1.515 / 2.447.
    public var horizontalFactor: Double
    /// One deviation over the 95 % half-width of a normal error, 1 / 1.96.
    public static let linearFactor = 0.51

    public init(horizontalFactor: Double = 0.62) { self.horizontalFactor = horizontalFactor }
}
