public import Positioning

/// What becomes of one fix.
public enum ReportingDecision: Equatable, Sendable {
    /// To be sent now. It is the fix just received, or a reliable one held before it.
    case send(ReportDraft)
    /// Plausible, and kept until a newer one takes its place or the deadline passes.
    case hold
    /// Not plausible, or not wanted; nothing changed but the counters.
    case reject(Rejection)
}
