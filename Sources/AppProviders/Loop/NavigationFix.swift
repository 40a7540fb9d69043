public import Positioning

/// The kinds of fix as S3 numbers them.
public enum NavigationFix: Int, Sendable, CaseIterable {
    case none = 0
    case gps = 1
    case differential = 2
    case deadReckoning = 3
    case unknown = 4

    /// What a fix is in S3's numbering; finer kinds become the nearest coarser one.
    public init(_ fix: FixType) {
        self =
            switch fix {
            case .none: .none
            case .twoD, .threeD: .gps
            case .differential, .rtkFloat, .rtkFixed: .differential
            case .deadReckoning: .deadReckoning
            case .unknown, .manual: .unknown
            }
    }
}
