/// Something odd about the platform's positions that changes no state.
public enum CoreLocationWarning: Equatable, Sendable {
    /// An update without positions; it is ignored (SEMANTICS rule 12).
    case emptyBatch
    /// CoreLocation failed with a code of `CLError` that it goes on from by itself.
    case failed(code: Int)
}
