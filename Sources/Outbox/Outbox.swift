public import Delivery
public import Positioning

/// The durable queue: reports until they are acknowledged, then as history for resends, on disk by SQLite and within
/// bounds of size and age (WIRE.md, Identity).
///
/// It works whatever becomes of the disk. A store that cannot be opened or written leaves it in memory, with the newest
/// reports, until the store can be used again; of a damaged store the whole records are taken over into a new one. Each
/// such change is told by an ``OutboxNotice``.
///
/// What was acknowledged need not be on disk at once: after a crash some reports are sent again, and receivers drop them
/// by their identity.
public struct Outbox: ReportQueue {
    let settings: OutboxSettings
    let files: StoreFiles
    let notice: (OutboxNotice) -> Void
    var instance: String
    var boot: UInt64
    public internal(set) var lastSequence: UInt64 = 0
    public internal(set) var firstNumber: UInt64
    public internal(set) var endNumber: UInt64
    /// In memory these hold also what is not stored yet; handed over is not known to the disk at all.
    var waiting = SequenceRanges()
    var handedOver = SequenceRanges()
    var runs: [Run] = []
    var quarantine = Quarantine()
    /// What is not stored yet, and before it what is stored in small pieces that are still to be joined.
    var recent = RecentReports()
    /// Everything below it is stored, as far as it is kept.
    var storedEnd: UInt64
    /// Everything below it is on disk for certain.
    var durableEnd: UInt64
    /// When the oldest unacknowledged report above `durableEnd` that is stored was made.
    var undurableSince: MonotonicInstant?
    /// Pieces that begin at or after it are small.
    var joinedEnd: UInt64
    /// Bytes that a report takes in a piece, as far as was seen.
    var bytesPerReport = 48.0

    var store: OutboxStore?
    /// Names the store that was taken up; `nil` before there was any.
    var storeID: UInt64?
    /// How much higher than named here its numbers are stored.
    var storeOffset: UInt64 = 0
    var writtenLedger: Ledger?
    var ledgerGeneration: UInt64 = 0
    /// When a change that need not be durable at once was first noticed.
    var changedSince: MonotonicInstant?
    var outage: StoreOutage?
    var notices = NoticeLimit()
    var counters = OutboxCounters()
    /// The last pieces read, of the backlog and for resends.
    var backlogPiece: DecodedPiece?
    var resendPiece: DecodedPiece?
    /// The last instant told.
    var lastNow: MonotonicInstant
    var clock: (utc: UTCInstant, at: MonotonicInstant)?
    var agesCheckedAt: MonotonicInstant

    /// Where numbers begin when the store could not be opened: what it holds will find room below.
    static let detachedStart: UInt64 = 1 << 40
    /// How long an unacknowledged report may be in memory only.
    static let durabilityDelay: Duration = .seconds(2)
    /// How long what was acknowledged may be in memory only.
    static let historyDelay: Duration = .seconds(300)
    /// How long the disk may not know that stored reports were acknowledged.
    static let ledgerDelay: Duration = .seconds(60)
    static let ageInterval: Duration = .seconds(600)

    /// Opens the store, whatever state it is in; with durability `none` it is not touched.
    ///
    /// - Parameters:
    ///   - instance: names the state directory; with `boot` never used before (WIRE.md, Identity).
    ///   - utc: the present time, where it is trusted; see ``setClock(_:now:)``.
    ///   - notice: told what became of the store.
    public init(
        settings: OutboxSettings, instance: String, boot: UInt64, now: MonotonicInstant, utc: UTCInstant?,
        notice: @escaping (OutboxNotice) -> Void
    ) {
        self.settings = settings
        files = StoreFiles(directory: settings.directory)
        self.notice = notice
        self.instance = instance
        self.boot = boot
        firstNumber = Outbox.detachedStart
        endNumber = Outbox.detachedStart
        storedEnd = Outbox.detachedStart
        durableEnd = Outbox.detachedStart
        joinedEnd = Outbox.detachedStart
        lastNow = now
        clock = utc.map { ($0, now) }
        agesCheckedAt = now
        if settings.durability != .none { openStore(now) }
        if storeID == nil { beginRun() }
        checkAges(now)
    }

    /// From now on the time is known: ages are counted.
    public mutating func setClock(_ utc: UTCInstant, now: MonotonicInstant) { clock = (utc, now) }

    func utc(_ now: MonotonicInstant) -> UTCInstant? { clock.map { $0.utc + (now - $0.at) } }

    public var waitingCount: Int { Int(waiting.count) }

    public var droppedCount: UInt64 { counters.droppedFull + counters.droppedAge + counters.damaged }

    /// A new boot's reports begin here.
    mutating func beginRun() {
        // A boot that made no report leaves nothing.
        if runs.last?.first == endNumber { runs.removeLast() }
        runs.append(Run(first: endNumber, instance: instance, boot: boot, sequence: lastSequence + 1))
    }

    @discardableResult
    public mutating func append(_ draft: ReportDraft, now: MonotonicInstant) -> QueuedReport {
        lastNow = now
        lastSequence += 1
        let number = endNumber
        endNumber += 1
        let report = Report(
            identity: ReportIdentity(instance: instance, boot: boot, sequence: lastSequence), draft: draft)
        recent.append(report, number: number, at: now)
        waiting.insert(number)
        if settings.durability == .strict, isWritable {
            flush(now, isDurable: true)
        } else if isWritable, endNumber - storedEnd >= UInt64(Piece.countLimit) {
            flush(now, isDurable: false)
        }
        limitMemory()
        return QueuedReport(number: number, report: report)
    }

    public mutating func take(_ numbers: Range<UInt64>) -> QueuedReport? {
        while let number = firstReadable(in: numbers) {
            if let report = report(number) {
                waiting.remove(number)
                handedOver.insert(number)
                return QueuedReport(number: number, report: report)
            }
        }
        return nil
    }

    public mutating func retire(_ numbers: Range<UInt64>) {
        handedOver.remove(numbers)
        noteChange(numbers)
    }

    public mutating func giveBack(_ numbers: Range<UInt64>) {
        let given = handedOver.intersection(numbers)
        handedOver.remove(numbers)
        for range in given.ranges { waiting.insert(range) }
    }

    public mutating func setAside(_ numbers: Range<UInt64>, reason: UInt8) {
        for range in handedOver.intersection(numbers).ranges { quarantine.insert(range, reason: reason) }
        handedOver.remove(numbers)
        noteChange(numbers)
    }

    private mutating func noteChange(_ numbers: Range<UInt64>) {
        if changedSince == nil, numbers.lowerBound < storedEnd { changedSince = lastNow }
    }

    public func firstWaiting(in numbers: Range<UInt64>) -> UInt64? { waiting.first(in: numbers) }

    /// The oldest unacknowledged report at or after `number`.
    func firstUnacknowledged(from number: UInt64) -> UInt64? {
        let range = number..<UInt64.max
        switch (waiting.first(in: range), handedOver.first(in: range)) {
        case (let one?, let other?): return min(one, other)
        case (let one, let other): return one ?? other
        }
    }
}
