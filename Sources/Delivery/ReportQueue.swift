public import Positioning

/// The port to whatever keeps reports until they are acknowledged: it gives a draft its identity and holds the report
/// until it is retired. Sequences count up from 1 without gaps within a boot (WIRE.md, Identity).
public protocol ReportQueue {
    /// The highest sequence given so far in this boot; 0 before the first.
    var lastSequence: UInt64 { get }

    /// How many reports wait to be handed over.
    var waitingCount: Int { get }

    /// How many reports were dropped unacknowledged because the queue was full.
    var droppedCount: UInt64 { get }

    /// Gives the draft the next sequence and keeps the report as waiting; a full queue drops its oldest and counts it.
    @discardableResult
    mutating func append(_ draft: ReportDraft) -> Report

    /// The oldest waiting report with a sequence in `range`, which is then handed over until retired or given back.
    mutating func take(_ range: Range<UInt64>) -> Report?

    /// Forgets the reports of `range` that are handed over: they were acknowledged, or cannot be sent at all.
    mutating func retire(_ range: Range<UInt64>)

    /// Makes the reports of `range` that are handed over wait again.
    mutating func giveBack(_ range: Range<UInt64>)
}
