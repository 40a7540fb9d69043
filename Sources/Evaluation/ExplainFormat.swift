internal import TrackDrawing

/// How an explanation is told.
public enum ExplainFormat: String, CaseIterable, Sendable {
    /// Lines for people.
    case text
    case json
    /// A picture: the raw track, the reports, and what a receiver predicts with its bound.
    case svg
}

extension Explanation {
    /// The whole in one of the formats.
    public func formatted(_ format: ExplainFormat) -> String {
        switch format {
        case .text: text
        case .json: json
        case .svg: picture.svg()
        }
    }
}
