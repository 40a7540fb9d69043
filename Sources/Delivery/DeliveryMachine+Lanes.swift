public import Positioning

/// What to hand over next.
extension DeliveryMachine {
    /// The next thing to publish, if there is room. Each is answered with ``handedOver(token:bytes:now:)`` or
    /// ``settled(_:now:)`` before the next call.
    public mutating func next(now: MonotonicInstant) -> Handover? {
        precondition(offered == nil, "the last handover was not answered")
        guard isConnected, inFlight.count < window else { return nil }
        if let report = nextLive(now) { return .live(report) }
        guard hasRoomForTrack, !trackHold.holds(now: now), let reports = nextResend(now) ?? nextBatch(now)
        else { return nil }
        return .track(reports)
    }

    /// One place is the live lane's own.
    private var hasRoomForTrack: Bool {
        inFlight.count < (live.isInFlight || window == 1 ? window : window - 1)
    }

    /// When a lane may go on that has something, has room and waits for nothing but time.
    var laneDeadline: MonotonicInstant? {
        guard isConnected, offered == nil, inFlight.count < window else { return nil }
        let live = !live.isInFlight && hasLive ? live.hold.until : nil
        guard hasRoomForTrack else { return live }
        return earlier(live, trackDeadline)
    }

    private var trackDeadline: MonotonicInstant? {
        let hasBacklog = hasBacklog
        let paced = hasBacklog || !resends.isEmpty ? later(pacer.readyAt, trackNotBefore) : nil
        let gathered = !hasBacklog && hasFresh ? gatherUntil : nil
        guard let until = trackHold.until else { return earlier(paced, gathered) }
        return hasBacklog || !resends.isEmpty || hasFresh ? later(until, earlier(paced, gathered)) : nil
    }

    private var hasLive: Bool { mustRepeatNewest || live.first != nil }

    private mutating func nextLive(_ now: MonotonicInstant) -> Report? {
        guard !live.isInFlight, hasLive, !live.hold.holds(now: now) else { return nil }
        if mustRepeatNewest, let newest = newestReliable {
            mustRepeatNewest = false
            let number = newest.number
            offered = InFlight(content: queue.take(number..<number + 1) == nil ? .repetition(number) : .live(number))
            return newest.report
        }
        guard let number = live.next(), let queued = queue.take(number..<number + 1) else { return nil }
        if trackCursor == number { trackCursor = number + 1 }
        offered = InFlight(content: .live(number))
        return queued.report
    }

    /// The track lane leaves the live lane's reports alone.
    private var trackEnd: UInt64 { live.first ?? queue.endNumber }

    /// Whether reports from before this connection wait for the track lane.
    public var hasBacklog: Bool { waits(trackCursor, min(freshStart, trackEnd)) }

    /// Whether reports made on this connection wait for the track lane.
    private var hasFresh: Bool { waits(max(trackCursor, freshStart), trackEnd) }

    private func waits(_ first: UInt64, _ end: UInt64) -> Bool {
        first < end && queue.firstWaiting(in: first..<end) != nil
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
        guard !reports.isEmpty else { return nil }
        offered = InFlight(content: .resend(taken), paced: reports.count)
        return reports
    }

    private mutating func nextBatch(_ now: MonotonicInstant) -> [Report]? {
        let end = trackEnd
        if hasBacklog {
            guard mayPace(now) else { return nil }
        } else {
            trackCursor = max(trackCursor, min(freshStart, end))
            guard hasFresh, isGathered(now) else { return nil }
        }
        var reports: [Report] = []
        var numbers = SequenceRanges()
        var paced = 0
        while reports.count < batch.count, trackCursor < end, let queued = queue.take(trackCursor..<end) {
            if let previous = reports.last, !previous.isOfSameBoot(as: queued.report) {
                queue.giveBack(queued.number..<queued.number + 1)
                break
            }
            reports.append(queued.report)
            numbers.insert(queued.number)
            if queued.number < freshStart { paced += 1 }
            trackCursor = queued.number + 1
        }
        leftTrack(reports.count - paced, now)
        guard !reports.isEmpty else {
            // What waits here cannot be read.
            trackCursor = max(trackCursor, end)
            return nil
        }
        offered = InFlight(content: .track(numbers), paced: paced)
        return reports
    }

    private mutating func leftTrack(_ count: Int, _ now: MonotonicInstant) {
        freshCount = hasFresh ? max(1, freshCount - count) : 0
        // What is left was made later.
        if count > 0 || freshCount == 0 { gatherUntil = freshCount > 0 ? now + settings.gather : nil }
        updateCongestion()
    }

    /// Whether what was made on this connection need not wait for company.
    private func isGathered(_ now: MonotonicInstant) -> Bool {
        isFlushing || isCongested || freshCount >= batch.count || gatherUntil.map { $0 <= now } ?? true
    }
}

/// The earlier of two deadlines, where there are any.
func earlier(_ one: MonotonicInstant?, _ other: MonotonicInstant?) -> MonotonicInstant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}

/// The later of two deadlines, where there are any.
private func later(_ one: MonotonicInstant?, _ other: MonotonicInstant?) -> MonotonicInstant? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
}

extension Report {
    fileprivate func isOfSameBoot(as other: Report) -> Bool {
        identity.boot == other.identity.boot && identity.instance == other.identity.instance
    }
}
