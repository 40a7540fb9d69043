public import Positioning

/// What goes to the broker next, and what becomes of it: the two lanes, their pace, and what the broker refuses (WIRE.md,
/// Two lanes). A pure machine over a ``ReportQueue``.
///
/// At most one report is unacknowledged on the live lane. A newer one replaces the one that waits, which then goes with
/// the track lane: oldest first, in batches. What had piled up before a connection is paced and may begin late; what is
/// made while it stands is only gathered for a moment. Every connection begins with the newest reliable position, so
/// that a broker that lost its retained messages has it again.
public struct DeliveryMachine<Queue: ReportQueue> {
    public internal(set) var queue: Queue
    let settings: DeliverySettings
    var inFlight: [InFlight] = []
    var offered: InFlight?
    var isConnected = false
    var isFlushing = false
    var window = 1
    var live = LiveLane()
    var newestReliable: QueuedReport?
    var mustRepeatNewest = false
    /// Reports from this number on were made on this connection.
    var freshStart: UInt64 = 0
    /// About how many reports made on this connection wait for the track lane: a full queue may have dropped some.
    var freshCount = 0
    var gatherUntil: MonotonicInstant?
    /// Nothing below it waits, but what the live lane has.
    var trackCursor: UInt64 = 0
    var trackNotBefore: MonotonicInstant?
    var trackHold = LaneHold()
    var batch: BatchSize
    var pacer: TrackPacer
    /// What was asked for again and lies before the backlog.
    var resends = SequenceRanges()
    public internal(set) var counters = DeliveryCounters()

    public init(queue: Queue, settings: DeliverySettings = DeliverySettings()) {
        self.queue = queue
        self.settings = settings
        batch = BatchSize(maximum: settings.batch)
        pacer = TrackPacer(reportsPerSecond: settings.reportsPerSecond, bytesPerSecond: settings.bytesPerSecond)
    }

    /// Whether reports come faster than they go out; false again once half of them went.
    public internal(set) var isCongested = false

    /// Whether nothing waits and nothing is unacknowledged.
    public var isIdle: Bool {
        inFlight.isEmpty && offered == nil && queue.waitingCount == 0 && !mustRepeatNewest && resends.isEmpty
    }

    /// Gives the draft its identity and queues it.
    @discardableResult
    public mutating func append(_ draft: ReportDraft, now: MonotonicInstant) -> Report {
        let queued = queue.append(draft, now: now)
        let isReliable = draft.location.isReliable
        if isReliable { newestReliable = queued }
        guard isConnected else { return queued.report }
        if isReliable, mustRepeatNewest {
            // The repetition of an older one is of no use any more.
            mustRepeatNewest = false
        }
        let replaced = live.offer(queued.number, isReliable: isReliable)
        if replaced > 0 { joinTrack(replaced, now) }
        return queued.report
    }

    /// Tells the queue something of its own.
    public mutating func updateQueue(_ body: (inout Queue) -> Void) { body(&queue) }

    /// Takes a new identity before anything was handed over.
    public mutating func renew(instance: String, boot: UInt64, now: MonotonicInstant) {
        disconnected(now: now)
        let fromEnd = newestReliable.map { queue.endNumber - $0.number }
        queue.renew(instance: instance, boot: boot, now: now)
        newestReliable = fromEnd.flatMap { distance in
            guard distance <= queue.endNumber else { return nil }
            let number = queue.endNumber - distance
            return queue.read(number..<number + 1)
        }
    }

    /// A connection stands and its birth is published.
    ///
    /// - Parameters:
    ///   - receiveMaximum: how many unacknowledged messages the broker takes.
    ///   - random: in 0..<1; how late a backlog begins.
    public mutating func connected(receiveMaximum: Int, now: MonotonicInstant, random: Double) {
        isConnected = true
        // Two places are left for availability, which must never wait for reports.
        window = max(1, min(settings.window, receiveMaximum - 2))
        batch.reset()
        trackHold.end()
        live = LiveLane()
        mustRepeatNewest = newestReliable != nil
        freshStart = queue.endNumber
        freshCount = 0
        gatherUntil = nil
        trackCursor = queue.firstNumber
        let newest = freshStart &- 1
        if newest > newestReliable?.number ?? 0, queue.firstWaiting(in: newest..<freshStart) != nil,
            let queued = queue.read(newest..<freshStart), !queued.report.location.isReliable
        {
            // A newer position that is not reliable is live too.
            live.unreliable = newest
        }
        let isMuch = queue.waitingCount > batch.count
        trackNotBefore = isMuch ? now + settings.startJitter * random : nil
        updateCongestion()
    }

    /// The connection is gone: everything unacknowledged waits again.
    public mutating func disconnected(now: MonotonicInstant) {
        isConnected = false
        for entry in inFlight { waitsAgain(entry) }
        inFlight.removeAll(keepingCapacity: true)
        freshCount = 0
        updateCongestion()
        queue.linkLost(now: now)
    }

    /// The agent comes to its end: nothing more is gathered.
    public mutating func flush() { isFlushing = true }

    /// What is queued is made durable; the machine is not used after.
    public mutating func close(now: MonotonicInstant) {
        disconnected(now: now)
        queue.close(now: now)
    }

    /// When ``deadlinePassed(now:)`` is due, after which ``next(now:)`` may have something.
    public var nextDeadline: MonotonicInstant? { earlier(laneDeadline, queue.nextDeadline) }

    public mutating func deadlinePassed(now: MonotonicInstant) {
        if let deadline = queue.nextDeadline, deadline <= now { queue.deadlinePassed(now: now) }
    }

    /// Reports of the live lane now wait for the track lane.
    mutating func joinTrack(_ count: Int, _ now: MonotonicInstant) {
        freshCount += count
        if gatherUntil == nil { gatherUntil = now + settings.gather }
        updateCongestion()
    }

    mutating func updateCongestion() {
        if freshCount >= settings.batch { isCongested = true }
        if freshCount <= settings.batch / 2 { isCongested = false }
    }
}
