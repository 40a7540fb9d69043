internal import Positioning

/// Taking up the store, and what to do when it fails.
extension Outbox {
    /// Whether something can be stored now.
    var isWritable: Bool { store != nil && outage == nil }

    /// Opens the store and takes up what it holds; answers whether it did, and begins or prolongs an outage otherwise.
    @discardableResult
    mutating func openStore(_ now: MonotonicInstant) -> Bool {
        do throws(StoreError) {
            let known = storeID == nil ? nil : currentLedger().moved(by: storeOffset)
            let opened = try OutboxStore.open(files, maximumSize: settings.maximumSize, known: known)
            if storeID == nil {
                takeUpFirst(opened)
                if let repair = opened.repair {
                    counters.damaged += repair.lost
                    noteRepair(repair, lost: repair.lost, now)
                }
            } else if opened.ledger?.id == storeID {
                let lost = reopened(opened)
                if let repair = opened.repair { noteRepair(repair, lost: lost, now) }
            } else {
                try replaceStore(opened)
            }
            return true
        } catch {
            storeFailed(error, now)
            return false
        }
    }

    /// The first store since the start.
    private mutating func takeUpFirst(_ opened: OutboxStore.Opened) {
        let isStart = runs.isEmpty
        if isStart {
            (firstNumber, endNumber, storedEnd) = (opened.end, opened.end, opened.end)
            (durableEnd, joinedEnd) = (opened.end, opened.end)
        } else {
            // What the store holds is named below the numbers given since the start.
            storeOffset = opened.end &- Outbox.detachedStart
        }
        if let ledger = opened.ledger?.moved(by: 0 &- storeOffset) {
            firstNumber = min(ledger.first, firstNumber)
            for range in ledger.waiting(below: storedEnd).ranges { waiting.insert(range) }
            quarantine = ledger.quarantine
            runs.insert(contentsOf: ledger.runs, at: 0)
            ledgerGeneration = ledger.generation
        }
        if isStart {
            continueSequence()
            beginRun()
        }
        storeID = opened.ledger?.id ?? .random(in: 1...UInt64.max)
        use(opened.store)
    }

    /// The same boot again goes on behind what it has stored.
    private mutating func continueSequence() {
        for (index, run) in runs.enumerated() where run.instance == instance && run.boot == boot {
            let end = index + 1 < runs.count ? runs[index + 1].first : endNumber
            if end > run.first { lastSequence = max(lastSequence, run.sequence + (end - run.first) - 1) }
        }
    }

    private mutating func use(_ store: OutboxStore) {
        store.offset = storeOffset
        self.store = store
        writtenLedger = nil
        (backlogPiece, resendPiece) = (nil, nil)
    }

    /// Our store again, as it was or repaired; answers how many unacknowledged reports are lost.
    private mutating func reopened(_ opened: OutboxStore.Opened) -> UInt64 {
        use(opened.store)
        guard opened.repair != nil, let ledger = opened.ledger?.moved(by: 0 &- storeOffset) else { return 0 }
        ledgerGeneration = max(ledgerGeneration, ledger.generation)
        let before = counters.damaged
        let found = ledger.waiting(below: storedEnd)
        var stored = waiting.intersection(firstNumber..<storedEnd)
        for range in handedOver.intersection(firstNumber..<storedEnd).ranges { stored.insert(range) }
        for range in stored.ranges {
            for gap in found.gaps(in: range).ranges {
                // What is still in memory is stored again.
                for lost in recent.numbers(in: gap).gaps(in: gap).ranges { lose(lost) }
            }
        }
        storedEnd = recent.firstNumber ?? storedEnd
        joinedEnd = min(joinedEnd, storedEnd)
        durableEnd = min(durableEnd, storedEnd)
        return counters.damaged - before
    }

    /// Another store is where ours was: an empty one is used, any other is put aside first. What ours held is taken over
    /// as far as it can still be read.
    private mutating func replaceStore(_ opened: OutboxStore.Opened) throws(StoreError) {
        var opened = opened
        if opened.ledger != nil {
            opened.store.close()
            _ = try OutboxStore.remake(files, currentLedger().moved(by: storeOffset), isNewer: false)
            opened = try OutboxStore.open(files, maximumSize: settings.maximumSize)
        }
        let new = opened.store
        let old = store
        do throws(StoreError) {
            try new.write(isDurable: true) { () throws(StoreError) in try old?.copy(to: new) }
        } catch {
            new.close()
            throw error
        }
        if old == nil {
            let kept = recent.firstNumber ?? endNumber
            lose(firstNumber..<kept)
            (firstNumber, storedEnd, durableEnd, joinedEnd) = (kept, kept, kept, kept)
        }
        old?.close()
        use(new)
    }

    private mutating func noteRepair(_ repair: OutboxStore.Repair, lost: UInt64, _ now: MonotonicInstant) {
        let path = files.database
        tell(
            repair.isNewer
                ? .newerVersion(path: path, asidePath: files.aside, kept: repair.kept)
                : .salvaged(path: path, asidePath: files.aside, kept: repair.kept, lost: lost), now)
    }

    /// The store answered an error: a damaged one is repaired at once, any other is tried again later.
    mutating func storeFailed(_ error: StoreError, _ now: MonotonicInstant) {
        if error.kind == .damaged, store != nil {
            repairStore(now)
            return
        }
        // What is stored can still be read from a full disk, and from a file that was removed.
        let isReadable = store != nil && (error.kind == .full || store?.isInPlace == false)
        if !isReadable { closeStore() }
        if outage == nil { outage = StoreOutage(now: now) } else { outage?.failedAgain(now: now) }
        let isFull = error.kind == .full
        tell(
            isFull
                ? .diskFull(path: error.path, reason: error.message)
                : .unavailable(path: error.path, reason: error.message), now)
    }

    mutating func closeStore() {
        store?.close()
        store = nil
    }

    /// Makes the store anew from what is whole in it.
    private mutating func repairStore(_ now: MonotonicInstant) {
        let known = currentLedger().moved(by: storeOffset)
        closeStore()
        do throws(StoreError) {
            let repair = try OutboxStore.remake(files, known, isNewer: false)
            var opened = try OutboxStore.open(files, maximumSize: settings.maximumSize, known: known)
            opened.repair = repair
            let lost = reopened(opened)
            noteRepair(repair, lost: lost, now)
        } catch {
            storeFailed(error, now)
        }
    }

    /// Another try, when it is time.
    mutating func retryStore(_ now: MonotonicInstant) {
        guard let retryAt = outage?.retryAt, retryAt <= now else { return }
        if store?.isInPlace != true, !openStore(now) { return }
        guard flush(now, isDurable: true) else { return }
        outage = nil
        tell(.recovered(path: files.database), now)
    }

    mutating func tell(_ notice: OutboxNotice, _ now: MonotonicInstant) {
        if notices.mayTell(notice, now: now) { self.notice(notice) }
    }
}
