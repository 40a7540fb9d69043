public import Positioning

/// A report in a queue, and its place there.
public struct QueuedReport: Equatable, Sendable {
    /// Counts up by one from report to report, also across the boots of an agent; means nothing outside of its queue.
    public var number: UInt64
    public var report: Report

    public init(number: UInt64, report: Report) {
        self.number = number
        self.report = report
    }
}

/// The port to whatever keeps reports until they are acknowledged: it gives a draft its identity and holds the report
/// until it is retired, or for longer as history. Sequences count up from 1 without gaps within a boot (WIRE.md,
/// Identity). A report is *waiting*, then *handed over*, then *retired* or *set aside*; or waits again.
public protocol ReportQueue {
    /// The highest sequence given so far in this boot; 0 before the first.
    var lastSequence: UInt64 { get }

    /// At or below the number of the oldest report held.
    var firstNumber: UInt64 { get }

    /// The number that the next report gets.
    var endNumber: UInt64 { get }

    /// How many reports wait to be handed over.
    var waitingCount: Int { get }

    /// How many reports were dropped unacknowledged: the queue was full, or they were too old.
    var droppedCount: UInt64 { get }

    /// Gives the draft the next sequence and keeps the report as waiting; a full queue drops one and counts it.
    @discardableResult
    mutating func append(_ draft: ReportDraft, now: MonotonicInstant) -> QueuedReport

    /// The oldest waiting report of `numbers`, which is then handed over until retired, set aside or given back.
    mutating func take(_ numbers: Range<UInt64>) -> QueuedReport?

    /// The reports of `numbers` that are handed over were acknowledged.
    mutating func retire(_ numbers: Range<UInt64>)

    /// Makes the reports of `numbers` that are handed over wait again.
    mutating func giveBack(_ numbers: Range<UInt64>)

    /// The broker refused the reports of `numbers` that are handed over for what they are: they are not sent again.
    ///
    /// - Parameter reason: the reason code of MQTT 5.
    mutating func setAside(_ numbers: Range<UInt64>, reason: UInt8)

    /// The oldest waiting report of `numbers`, which stays so.
    func firstWaiting(in numbers: Range<UInt64>) -> UInt64?

    /// Where the reports of one boot are, as far as they are held in whatever state.
    mutating func held(instance: String, boot: UInt64, sequences: ClosedRange<UInt64>) -> SequenceRanges

    /// The oldest report of `numbers` that is held, in whatever state.
    mutating func read(_ numbers: Range<UInt64>) -> QueuedReport?

    /// When ``deadlinePassed(now:)`` is due: something is to be made durable, or is too old.
    var nextDeadline: MonotonicInstant? { get }

    mutating func deadlinePassed(now: MonotonicInstant)

    /// The connection is gone, and all that was handed over has been given back.
    mutating func linkLost(now: MonotonicInstant)

    /// Makes everything durable that may be: the agent ends.
    mutating func close(now: MonotonicInstant)

    /// The reports of this boot, of which none was handed over yet, get a new identity: they are appended anew in their
    /// order. Those of earlier boots keep theirs.
    mutating func renew(instance: String, boot: UInt64, now: MonotonicInstant)
}
