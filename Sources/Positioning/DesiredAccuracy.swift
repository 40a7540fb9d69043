/// How accurate a position should be; a hint to the source (S1, SEMANTICS rule 9).
public enum DesiredAccuracy: Int, Comparable, Sendable, CaseIterable {
    /// District level; saves power.
    case low
    /// Standard GNSS, good for showing on a map.
    case medium
    /// Route guidance.
    case high

    public static func < (a: DesiredAccuracy, b: DesiredAccuracy) -> Bool { a.rawValue < b.rawValue }
}
