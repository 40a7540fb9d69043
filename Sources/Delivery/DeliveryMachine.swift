public import Positioning

/// What goes to the broker next, and what becomes of it: the window of unacknowledged reports and the two lanes
/// (WIRE.md, Two lanes). A pure machine.
///
/// Reports made while connected go out at once on the live lane, in order, as far as the window allows. Whatever was
/// not acknowledged when a connection ended goes to the track lane of the next one, oldest first and in batches, after
/// the newest reliable position, which every connection repeats so that a broker that lost its retained messages has
/// it again.
public struct DeliveryMachine<Queue: ReportQueue> {
    public private(set) var queue: Queue
    private let settings: DeliverySettings
    private var inFlight = InFlightList()
    private var offered: InFlight?
    private var isConnected = false
    private var window: Int
    private var batch: Int
    private var newestReliable: Report?
    private var mustRepeatNewest = false
    /// Reports from this sequence on belong to the live lane.
    private var liveStart: UInt64 = 1
    private var liveCursor: UInt64 = 1
    private var trackCursor: UInt64 = 1
    private var heldUntil: MonotonicInstant?
    public private(set) var counters = DeliveryCounters()

    public init(queue: Queue, settings: DeliverySettings = DeliverySettings()) {
        self.queue = queue
        self.settings = settings
        window = settings.window
        batch = settings.batch
    }

    /// Whether reports come faster than they go out; false again once at most half a window waits.
    public private(set) var isCongested = false

    /// Whether nothing waits and nothing is unacknowledged.
    public var isIdle: Bool { inFlight.isEmpty && offered == nil && queue.waitingCount == 0 && !mustRepeatNewest }

    /// When a lane held back after a refusal is tried again.
    public var nextDeadline: MonotonicInstant? { isConnected ? heldUntil : nil }

    /// Gives the draft its identity and queues it.
    @discardableResult
    public mutating func append(_ draft: ReportDraft) -> Report {
        let report = queue.append(draft)
        if draft.location.isReliable { newestReliable = report }
        updateCongestion()
        return report
    }

    /// Takes a new identity before anything was handed over: what waits moves to `queue` in its order.
    public mutating func move(to queue: Queue) {
        disconnected()
        var old = self.queue
        self.queue = queue
        newestReliable = nil
        while let report = old.take(1..<old.lastSequence + 1) { append(report.draft) }
    }

    /// A connection stands and its birth is published.
    ///
    /// - Parameter receiveMaximum: how many unacknowledged messages the broker takes.
    public mutating func connected(receiveMaximum: Int) {
        isConnected = true
        // Two places are left for availability, which must never wait for reports.
        window = max(1, min(settings.window, receiveMaximum - 2))
        batch = settings.batch
        heldUntil = nil
        beginLanes()
    }

    /// The newest position is live, what was made before it belongs to the track lane: nothing older ever follows it on
    /// the location topic.
    private mutating func beginLanes() {
        mustRepeatNewest = newestReliable != nil
        // A newer position that is not reliable is live too; it never replaces the retained one.
        let newest = queue.lastSequence
        let newestIsUnreliable = newest > newestReliable?.identity.sequence ?? 0
        liveStart = newestIsUnreliable ? max(1, newest) : newest + 1
        liveCursor = liveStart
        trackCursor = 1
    }

    /// The connection is gone: everything unacknowledged waits again.
    public mutating func disconnected() {
        isConnected = false
        for entry in inFlight.entries { queue.giveBack(entry.sequences) }
        inFlight.removeAll()
        updateCongestion()
    }

    /// The next thing to publish, if the window has room. Each is answered with ``handedOver(token:)`` or
    /// ``settled(_:now:)`` before the next call.
    public mutating func next(now: MonotonicInstant) -> Handover? {
        precondition(offered == nil, "the last handover was not answered")
        guard isConnected, inFlight.count < window else { return nil }
        if let heldUntil {
            guard heldUntil <= now else { return nil }
            self.heldUntil = nil
            // What came after the refused report may have been accepted.
            beginLanes()
        }
        if mustRepeatNewest, let report = newestReliable {
            mustRepeatNewest = false
            let sequence = report.identity.sequence
            _ = queue.take(sequence..<sequence + 1)
            return offer(.live(report), sequence..<sequence + 1, 1, .live)
        }
        let end = queue.lastSequence + 1
        if liveCursor < end, let report = queue.take(liveCursor..<end) {
            liveCursor = report.identity.sequence + 1
            return offer(.live(report), report.identity.sequence..<liveCursor, 1, .live)
        }
        return nextBatch()
    }

    private mutating func nextBatch() -> Handover? {
        guard trackCursor < liveStart, !inFlight.entries.contains(where: { $0.lane == .track }) else { return nil }
        var reports: [Report] = []
        while reports.count < batch, let report = queue.take(trackCursor..<liveStart) {
            reports.append(report)
            trackCursor = report.identity.sequence + 1
        }
        guard let first = reports.first?.identity.sequence else {
            trackCursor = liveStart
            return nil
        }
        return offer(.track(reports), first..<trackCursor, reports.count, .track)
    }

    private mutating func offer(
        _ handover: Handover, _ sequences: Range<UInt64>, _ count: Int, _ lane: InFlight.Lane
    ) -> Handover {
        offered = InFlight(token: 0, sequences: sequences, count: count, lane: lane)
        return handover
    }

    /// The last handover is under way; its outcome comes with ``completed(token:_:now:)``.
    public mutating func handedOver(token: UInt64) {
        guard var entry = offered else { return }
        offered = nil
        entry.token = token
        inFlight.append(entry)
        updateCongestion()
    }

    /// The last handover ended at once.
    public mutating func settled(_ outcome: DeliveryOutcome, now: MonotonicInstant) {
        guard let entry = offered else { return }
        offered = nil
        end(entry, outcome, now)
    }

    /// A handover ended; an unknown token is ignored.
    ///
    /// - Returns: whether the token was one of a report.
    @discardableResult
    public mutating func completed(token: UInt64, _ outcome: DeliveryOutcome, now: MonotonicInstant) -> Bool {
        guard let entry = inFlight.remove(token: token) else { return false }
        end(entry, outcome, now)
        return true
    }

    private mutating func end(_ entry: InFlight, _ outcome: DeliveryOutcome, _ now: MonotonicInstant) {
        let count = UInt64(entry.count)
        switch outcome {
        case .delivered:
            queue.retire(entry.sequences)
            if entry.lane == .live { counters.live += count } else { counters.track += count }
        case .lost:
            returnToQueue(entry)
            // A connection that lost one message takes no other: handing it over again now would never end.
            isConnected = false
        case .refused:
            counters.refused += 1
            returnToQueue(entry)
            heldUntil = now + settings.retryDelay
        case .tooLarge where entry.lane == .track && entry.count > 1:
            returnToQueue(entry)
            batch = max(1, min(batch, entry.count) / 2)
        case .tooLarge:
            queue.retire(entry.sequences)
            counters.discarded += count
        }
        updateCongestion()
    }

    private mutating func returnToQueue(_ entry: InFlight) {
        queue.giveBack(entry.sequences)
        switch entry.lane {
        case .live where entry.sequences.lowerBound >= liveStart:
            liveCursor = min(liveCursor, entry.sequences.lowerBound)
        case .live, .track: trackCursor = min(trackCursor, entry.sequences.lowerBound)
        }
    }

    private mutating func updateCongestion() {
        if queue.waitingCount >= window { isCongested = true }
        if queue.waitingCount <= window / 2 { isCongested = false }
    }
}
