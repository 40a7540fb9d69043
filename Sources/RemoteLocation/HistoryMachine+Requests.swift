public import FleetWire
public import Positioning

extension HistoryMachine {
    /// When ``nextCommand(now:)`` is to be called although nothing came.
    public var nextDeadline: MonotonicInstant? {
        let promise = boots.compactMap(\.promiseEnd).min()
        guard canAsk else { return promise }
        if let request { return promise.map { min($0, request.deadline) } ?? request.deadline }
        var next = promise
        for boot in boots where boot.instance == currentInstance && boot.hasUnasked {
            guard let settled = boot.settled else { continue }
            let instant = waitEnd.map { max($0, settled) } ?? settled
            next = next.map { min($0, instant) } ?? instant
        }
        return next
    }

    /// What to ask the vehicle now, if anything; called after each event and at ``nextDeadline``.
    public mutating func nextCommand(now: MonotonicInstant) -> CommandMessage? {
        if let request, request.deadline <= now {
            self.request = nil
            fail(now)
        }
        for index in boots.indices {
            guard let end = boots[index].promiseEnd else { continue }
            if boots[index].promised.isEmpty {
                boots[index].promiseEnd = nil
            } else if end <= now {
                boots[index].breakPromise()
                boots[index].settled = now
                fail(now)
            }
        }
        // What goes missing from here on has its own time to settle.
        for index in boots.indices where !boots[index].hasUnasked { boots[index].settled = nil }
        guard canAsk, request == nil, let subscriber = settings.subscriber else { return nil }
        if let waitEnd, waitEnd > now { return nil }
        for boot in boots where boot.instance == currentInstance && boot.hasUnasked {
            guard let settled = boot.settled, settled <= now, let range = boot.unasked.ranges.first else { continue }
            return ask(boot, range, subscriber, now)
        }
        return nil
    }

    /// A reply came; those to other requests are passed over.
    public mutating func receive(_ reply: ReplyMessage, now: MonotonicInstant) {
        guard let request, request.id == reply.id else { return }
        self.request = nil
        guard let index = index(request.instance, request.boot) else { return }
        switch reply.outcome {
        case .refused(let refusal, _):
            boots[index].refusal = refusal
            fail(now)
        case .coming(_, _, let gone):
            boots[index].refusal = nil
            let asked = request.sequences.lowerBound..<request.sequences.upperBound + 1
            let lost = gone.intersection(asked)
            boots[index].giveUp(lost)
            // A reply that is full of gaps says nothing of what lies behind the last of them.
            let isFull = gone.ranges.count >= ReplyMessage.goneLimit
            let end = isFull ? lost.last.map { $0 + 1 } ?? asked.lowerBound : asked.upperBound
            let coming = lost.gaps(in: asked.lowerBound..<max(asked.lowerBound, end))
            if !coming.isEmpty { boots[index].promise(coming, until: now + settings.promiseTimeout) }
            if !lost.isEmpty { failures = 0 }
        }
    }

    private mutating func ask(
        _ boot: BootHistory, _ range: Range<UInt64>, _ subscriber: VehicleID, _ now: MonotonicInstant
    ) -> CommandMessage? {
        guard let id = try? VehicleID("h\(requestNumber)") else { return nil }
        requestNumber &+= 1
        let sequences = range.lowerBound...range.upperBound - 1
        request = Request(
            id: id, instance: boot.instance, boot: boot.boot, sequences: sequences,
            deadline: now + settings.replyTimeout)
        waitEnd = nil
        return CommandMessage(
            id: id, action: .resend(instance: boot.instance, boot: boot.boot, sequences: sequences),
            subscriber: subscriber)
    }

    /// Waits longer each time before it asks again.
    private mutating func fail(_ now: MonotonicInstant) {
        let wait = settings.shortestWait * (1 << min(failures, 20))
        waitEnd = now + min(wait, settings.longestWait)
        failures += 1
    }

    // MARK: What is complete

    /// What is here and what is not, boot by boot: within an instance in order.
    public var completeness: [BootCompleteness] {
        boots.map { boot in
            var missing: [BootCompleteness.Missing] = []
            func add(_ set: SequenceRanges, _ reason: BootCompleteness.Reason) {
                for range in set.ranges {
                    missing.append(.init(sequences: range.lowerBound...range.upperBound - 1, reason: reason))
                }
            }
            var underWay = boot.promised
            if let request, request.boot == boot.boot, request.instance == boot.instance {
                let asked = request.sequences.lowerBound..<request.sequences.upperBound + 1
                for range in boot.missing.intersection(asked).ranges { underWay.insert(range) }
            }
            add(boot.gone, .gone)
            add(underWay, .underWay)
            add(boot.missing.subtracting(underWay), reason(boot))
            missing.sort { $0.sequences.lowerBound < $1.sequences.lowerBound }
            let isOver = boots.contains { $0.instance == boot.instance && $0.boot > boot.boot }
            return BootCompleteness(
                instance: boot.instance, boot: boot.boot, received: boot.received.count - boot.forgotten,
                last: boot.last, isEndKnown: boot.isEndKnown, isOver: isOver, forgotten: boot.forgotten,
                missing: missing)
        }
    }

    private func reason(_ boot: BootHistory) -> BootCompleteness.Reason {
        if settings.subscriber == nil { return .cannotAsk }
        if let current = currentInstance, current != boot.instance { return .otherInstance }
        return boot.refusal.map { .refused($0) } ?? .notYetAsked
    }
}
