public import Positioning

/// Storing what is in memory only, and when.
extension Outbox {
    /// What the store is to know.
    func currentLedger(end: UInt64? = nil) -> Ledger {
        let end = end ?? storedEnd
        var ledger = Ledger(id: storeID ?? 0)
        ledger.generation = ledgerGeneration
        ledger.first = firstNumber
        ledger.runs = runs
        ledger.quarantine = quarantine
        ledger.waiting = waiting.intersection(0..<end)
        for range in handedOver.intersection(0..<end).ranges { ledger.waiting.insert(range) }
        ledger.waitingFrom = end
        if let last = ledger.waiting.ranges.last, last.upperBound == end {
            ledger.waitingFrom = last.lowerBound
            ledger.waiting.remove(last)
        }
        return ledger
    }

    /// Stores everything; answers whether that succeeded.
    @discardableResult
    mutating func flush(_ now: MonotonicInstant, isDurable: Bool) -> Bool {
        // The second try is for a store that was repaired, or has room again.
        for isSecond in [false, true] {
            guard let store else { return false }
            do throws(StoreError) {
                var plan = planPieces(store, now)
                if try makeRoom(in: store, pages: plan.pages, now) { plan = planPieces(store, now) }
                try flush(plan, to: store, now, isDurable: isDurable)
                return true
            } catch {
                if error.kind == .full, !isSecond, giveUpSpace(store) { continue }
                storeFailed(error, now)
                if error.kind != .damaged { return false }
            }
        }
        return false
    }

    private mutating func flush(
        _ plan: Plan, to store: OutboxStore, _ now: MonotonicInstant, isDurable: Bool
    ) throws(StoreError) {
        var ledger = currentLedger(end: endNumber)
        ledger.generation = 0
        let isChanged = ledger != writtenLedger
        // Only a transaction that writes something reaches the disk.
        let mustSynchronise = isDurable && durableEnd < endNumber && plan.pieces.isEmpty
        if !plan.pieces.isEmpty || isChanged || mustSynchronise {
            try store.write(isDurable: isDurable) { () throws(StoreError) in
                if plan.joinedEnd > joinedEnd { try store.delete(joinedEnd..<endNumber) }
                for piece in plan.pieces { try store.insert(piece, time: utc(now)) }
                guard isChanged || mustSynchronise else { return }
                var numbered = ledger
                numbered.generation = ledgerGeneration + 1
                try store.write(numbered)
            }
        }
        if isChanged || mustSynchronise { ledgerGeneration += 1 }
        writtenLedger = ledger
        changedSince = nil
        if isDurable {
            durableEnd = endNumber
            undurableSince = nil
        } else if undurableSince == nil {
            undurableSince = firstUnacknowledged(from: max(durableEnd, storedEnd)).flatMap { recent.since($0) }
        }
        storedEnd = endNumber
        joinedEnd = max(joinedEnd, plan.joinedEnd)
        recent.removeAll(below: joinedEnd)
    }

    private struct Plan {
        var pieces: [OutboxStore.NewPiece] = []
        /// Everything below it is in pieces that stay as they are.
        var joinedEnd: UInt64

        /// What the pieces need at the most, with what is written beside them.
        var pages: Int {
            pieces.isEmpty ? 0 : 4 + pieces.reduce(0) { $0 + $1.record.count } * 5 / 4 / OutboxStore.pageSize
        }
    }

    /// What is to be stored: full pieces, in the place of the small ones before them, and one small piece of the rest.
    private mutating func planPieces(_ store: OutboxStore, _ now: MonotonicInstant) -> Plan {
        var plan = Plan(joinedEnd: joinedEnd)
        guard storedEnd < endNumber else { return plan }
        let full = max(1, min(Piece.countLimit, Int(Double(Piece.sizeLimit) * 0.96 / bytesPerReport)))
        while let (number, reports) = recent.run(from: plan.joinedEnd, limit: full) {
            if reports.count < full, number + UInt64(reports.count) == endNumber { break }
            let piece = cut(reports, number, store, now)
            plan.pieces.append(piece)
            plan.joinedEnd = number + UInt64(piece.count)
        }
        var next = plan.joinedEnd > joinedEnd ? plan.joinedEnd : max(storedEnd, joinedEnd)
        while let (number, reports) = recent.run(from: next, limit: Piece.countLimit) {
            let piece = cut(reports, number, store, now)
            plan.pieces.append(piece)
            next = number + UInt64(piece.count)
        }
        return plan
    }

    /// As many of the reports as one piece holds.
    private mutating func cut(
        _ reports: [Report], _ number: UInt64, _ store: OutboxStore, _ now: MonotonicInstant
    ) -> OutboxStore.NewPiece {
        var reports = reports
        while true {
            let piece = store.piece(reports, number: number, time: utc(now))
            let size = piece.record.count
            if reports.count >= 16 { bytesPerReport = Double(size) / Double(reports.count) }
            guard size > Piece.sizeLimit, reports.count > 1 else { return piece }
            let fitting = reports.count * Piece.sizeLimit * 96 / 100 / size
            reports.removeLast(reports.count - max(1, min(reports.count - 1, fitting)))
        }
    }

    public var nextDeadline: MonotonicInstant? {
        guard settings.durability != .none else { return nil }
        if let outage { return outage.retryAt }
        guard store != nil else { return nil }
        var next = clock == nil ? nil : agesCheckedAt + Outbox.ageInterval
        func take(_ deadline: MonotonicInstant?) {
            if let deadline { next = next.map { min($0, deadline) } ?? deadline }
        }
        take(durabilityDeadline)
        take(recent.since(storedEnd).map { $0 + Outbox.historyDelay })
        take(changedSince.map { $0 + Outbox.ledgerDelay })
        return next
    }

    /// When what is unacknowledged must be on disk.
    private var durabilityDeadline: MonotonicInstant? {
        guard let number = firstUnacknowledged(from: durableEnd) else { return nil }
        let since = number < storedEnd ? undurableSince : recent.since(number)
        return since.map { $0 + Outbox.durabilityDelay }
    }

    public mutating func deadlinePassed(now: MonotonicInstant) {
        lastNow = now
        retryStore(now)
        guard isWritable, let deadline = nextDeadline, deadline <= now else { return }
        let isDurable = durabilityDeadline.map { $0 <= now } ?? false
        flush(now, isDurable: isDurable)
        checkAges(now)
    }

    public mutating func linkLost(now: MonotonicInstant) {
        lastNow = now
        if isWritable, firstUnacknowledged(from: durableEnd) != nil { flush(now, isDurable: true) }
    }

    public mutating func close(now: MonotonicInstant) {
        lastNow = now
        if store != nil { flush(now, isDurable: true) }
        closeStore()
    }
}
