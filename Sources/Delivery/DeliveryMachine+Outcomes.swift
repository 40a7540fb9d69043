public import Positioning

/// What became of what was handed over.
extension DeliveryMachine {
    /// The last handover is under way; its outcome comes with ``completed(token:_:now:)``.
    ///
    /// - Parameter bytes: the length of its payload.
    public mutating func handedOver(token: UInt64, bytes: Int, now: MonotonicInstant) {
        guard var entry = offered else { return }
        offered = nil
        entry.token = token
        if entry.isLive { live.isInFlight = true }
        pace(entry, bytes, now)
        inFlight.append(entry)
    }

    /// The last handover ended at once.
    ///
    /// - Parameter bytes: the length of its payload.
    public mutating func settled(_ outcome: DeliveryOutcome, bytes: Int, now: MonotonicInstant) {
        guard let entry = offered else { return }
        offered = nil
        if outcome == .delivered || outcome == .deliveredToNobody { pace(entry, bytes, now) }
        end(entry, outcome, now)
    }

    private mutating func pace(_ entry: InFlight, _ bytes: Int, _ now: MonotonicInstant) {
        guard entry.paced > 0 else { return }
        pacer.spend(reports: entry.paced, bytes: bytes * entry.paced / entry.count, now: now)
    }

    /// A handover ended; an unknown token is ignored.
    ///
    /// - Returns: whether the token was one of a report.
    @discardableResult
    public mutating func completed(token: UInt64, _ outcome: DeliveryOutcome, now: MonotonicInstant) -> Bool {
        guard let index = inFlight.firstIndex(where: { $0.token == token }) else { return false }
        let entry = inFlight.remove(at: index)
        if entry.isLive { live.isInFlight = false }
        end(entry, outcome, now)
        return true
    }

    private mutating func end(_ entry: InFlight, _ outcome: DeliveryOutcome, _ now: MonotonicInstant) {
        switch outcome {
        case .delivered: delivered(entry)
        case .deliveredToNobody:
            if !entry.isLive { counters.unheard += UInt64(entry.count) }
            delivered(entry)
        case .lost:
            takeBack(entry, now)
            // A connection that lost one message takes no other: handing it over again now would never end.
            isConnected = false
        case .refused(let reason):
            counters.refusals[reason, default: 0] += 1
            refused(entry, reason, now)
        case .tooLarge where !entry.isLive && entry.count > 1:
            takeBack(entry, now)
            batch.tooLarge(entry.count)
        case .tooLarge: setAside(entry, reason: RefusalReason.packetTooLarge)
        }
    }

    private mutating func delivered(_ entry: InFlight) {
        let count = UInt64(entry.count)
        switch entry.content {
        case .live(let number):
            live.hold.delivered()
            counters.live += count
            queue.retire(number..<number + 1)
        case .repetition: live.hold.delivered()
        case .track(let numbers):
            trackHold.delivered()
            batch.accepted()
            counters.track += count
            // Each range for itself: what lies between may be under way as another message.
            for range in numbers.ranges { queue.retire(range) }
        case .resend:
            trackHold.delivered()
            batch.accepted()
            counters.resent += count
        }
    }

    /// What the broker will not take of this client now is kept, and its lane waits; what it does not take because of
    /// what it is must not hold up the rest.
    private mutating func refused(_ entry: InFlight, _ reason: UInt8, _ now: MonotonicInstant) {
        guard RefusalReason.concernsTheMessage(reason) else {
            takeBack(entry, now)
            let (first, longest) = (settings.retryDelay, settings.longestRetryDelay)
            if entry.isLive {
                live.hold.refused(now: now, first: first, longest: longest)
            } else {
                trackHold.refused(now: now, first: first, longest: longest)
            }
            return
        }
        guard entry.count > 1 else { return setAside(entry, reason: reason) }
        takeBack(entry, now)
        batch.refused(entry.count)
    }

    /// A single report that the broker never takes.
    private mutating func setAside(_ entry: InFlight, reason: UInt8) {
        switch entry.content {
        case .live(let number):
            queue.setAside(number..<number + 1, reason: reason)
            counters.setAside += 1
        case .track(let numbers):
            for range in numbers.ranges { queue.setAside(range, reason: reason) }
            counters.setAside += numbers.count
        case .repetition, .resend: break
        }
    }

    private mutating func takeBack(_ entry: InFlight, _ now: MonotonicInstant) {
        waitsAgain(entry)
        switch entry.content {
        case .live(let number):
            trackCursor = min(trackCursor, number)
            let isReliable = queue.read(number..<number + 1)?.report.location.isReliable ?? false
            if live.takeBack(number, isReliable: isReliable) { return }
            if number >= freshStart { joinTrack(1, now) }
        case .repetition(let number): mustRepeatNewest = newestReliable?.number == number
        case .track(let numbers):
            if let first = numbers.first { trackCursor = min(trackCursor, first) }
            if entry.count > entry.paced { joinTrack(entry.count - entry.paced, now) }
        case .resend: break
        }
    }

    /// What was under way is to be handed over again.
    mutating func waitsAgain(_ entry: InFlight) {
        switch entry.content {
        case .live(let number): queue.giveBack(number..<number + 1)
        case .repetition: break
        case .track(let numbers): for range in numbers.ranges { queue.giveBack(range) }
        case .resend(let numbers): for range in numbers.ranges { resends.insert(range) }
        }
    }
}

/// What the reason codes of MQTT 5 say about a refused PUBLISH.
enum RefusalReason {
    static let packetTooLarge: UInt8 = 0x95

    /// Whether the message itself is at fault (implementation specific error, malformed, invalid topic name or payload,
    /// too large) rather than the client's rights, its quota or the moment.
    static func concernsTheMessage(_ reason: UInt8) -> Bool {
        switch reason {
        case 0x81, 0x82, 0x83, 0x90, 0x95, 0x99: true
        default: false
        }
    }
}
