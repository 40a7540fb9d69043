public import Positioning

/// What to hand over next.
extension DeliveryMachine {
    /// The next thing to publish, if there is room. Each is answered with ``handedOver(token:bytes:now:)`` or
    /// ``settled(_:now:)`` before the next call.
    public mutating func next(now: MonotonicInstant) -> Handover? {
        precondition(offered == nil, "the last handover was not answered")
        guard isConnected, inFlight.count < window else { return nil }
        if let report = nextLive(now) { return .live(report) }
        // One place is the live lane's own.
        guard inFlight.count < (live.isInFlight || window == 1 ? window : window - 1), !trackHold.holds(now: now),
            let reports = nextResend(now) ?? nextBatch(now)
        else { return nil }
        return .track(reports)
    }

    private mutating func nextLive(_ now: MonotonicInstant) -> Report? {
        guard !live.isInFlight, mustRepeatNewest || live.first != nil, !live.hold.holds(now: now) else { return nil }
        if mustRepeatNewest, let newest = newestReliable {
            mustRepeatNewest = false
            let numbers = newest.number..<newest.number + 1
            offer(numbers, queue.take(numbers) == nil ? 0 : 1, .live)
            return newest.report
        }
        guard let number = live.next(), let queued = queue.take(number..<number + 1) else { return nil }
        if trackCursor == number { trackCursor = number + 1 }
        offer(number..<number + 1, 1, .live)
        return queued.report
    }

    private var trackEnd: UInt64 { live.first ?? queue.endNumber }

    /// When the track lane may go on, where it has something and waits for no acknowledgement.
    var trackDeadline: MonotonicInstant? {
        if let until = trackHold.until { return until }
        guard inFlight.count < window else { return nil }
        guard !resends.isEmpty || hasBacklog else { return freshCount > 0 ? gatherUntil : nil }
        guard let ready = pacer.readyAt, let trackNotBefore else { return pacer.readyAt ?? trackNotBefore }
        return max(ready, trackNotBefore)
    }

    private mutating func mayPace(_ now: MonotonicInstant) -> Bool {
        if let trackNotBefore {
            guard trackNotBefore <= now else { return false }
            self.trackNotBefore = nil
        }
        return pacer.isReady(now: now)
    }

    /// The oldest of what was asked for again; what waits anyway is left to the batches.
    private mutating func nextResend(_ now: MonotonicInstant) -> [Report]? {
        guard !resends.isEmpty, mayPace(now) else { return nil }
        var reports: [Report] = []
        var taken = SequenceRanges()
        while reports.count < batch.count, let range = resends.ranges.first {
            guard let queued = queue.read(range) else {
                resends.remove(range)
                continue
            }
            if let last = reports.last, !last.isOfSameBoot(as: queued.report) { break }
            resends.remove(range.lowerBound..<queued.number + 1)
            guard queue.firstWaiting(in: queued.number..<queued.number + 1) == nil else { continue }
            reports.append(queued.report)
            taken.insert(queued.number)
        }
        guard let first = taken.first, let last = taken.last else { return nil }
        offer(first..<last + 1, reports.count, .resend)
        offeredBacklog = reports.count
        return reports
    }

    private mutating func nextBatch(_ now: MonotonicInstant) -> [Report]? {
        let end = trackEnd
        guard trackCursor < end else { return nil }
        if hasBacklog {
            guard mayPace(now) else { return nil }
        } else {
            trackCursor = max(trackCursor, min(freshStart, end))
            guard freshCount > 0, isGathered(now) else { return nil }
        }
        var reports: [Report] = []
        var first: UInt64?
        var last: UInt64 = 0
        while reports.count < batch.count, let queued = queue.take(trackCursor..<end) {
            if let previous = reports.last, !previous.isOfSameBoot(as: queued.report) {
                queue.giveBack(queued.number..<queued.number + 1)
                break
            }
            reports.append(queued.report)
            first = first ?? queued.number
            last = queued.number
            trackCursor = last + 1
        }
        guard let first else {
            trackCursor = end
            freshCount = 0
            gatherUntil = nil
            updateCongestion()
            return nil
        }
        let fresh = last < freshStart ? 0 : min(reports.count, Int(last + 1 - max(first, freshStart)))
        freshCount = max(0, freshCount - fresh)
        // What is left was made later.
        if fresh > 0 { gatherUntil = freshCount > 0 ? now + settings.gather : nil }
        updateCongestion()
        offer(first..<last + 1, reports.count, .track)
        offeredBacklog = reports.count - fresh
        return reports
    }

    /// Whether what was made on this connection need not wait for company.
    private func isGathered(_ now: MonotonicInstant) -> Bool {
        isFlushing || isCongested || freshCount >= batch.count || gatherUntil.map { $0 <= now } ?? true
    }

    private mutating func offer(_ numbers: Range<UInt64>, _ count: Int, _ lane: InFlight.Lane) {
        offered = InFlight(numbers: numbers, count: count, lane: lane)
        offeredBacklog = 0
    }
}

extension Report {
    fileprivate func isOfSameBoot(as other: Report) -> Bool {
        identity.boot == other.identity.boot && identity.instance == other.identity.instance
    }
}
