internal import Positioning

/// What is given up where size, age or memory bind.
extension Outbox {
    /// Keeps the store below its size, with `pages` more: history goes first, then by the setting. Answers whether
    /// anything was given up.
    mutating func makeRoom(
        in store: OutboxStore, pages: Int, _ now: MonotonicInstant
    ) throws(StoreError) -> Bool {
        let limit = store.maximumPages - pages
        guard pages > 0, try store.usedPages() > limit else { return false }
        // Some more, so that it need not be done each time.
        let target = limit - store.maximumPages / 32
        let isWaitingToo = settings.whenFull == .dropOldest
        if try giveUp(in: store, downTo: target, isWaitingToo: isWaitingToo) > 0 {
            tell(.full(path: files.database, dropping: .dropOldest), now)
        }
        if !isWaitingToo, try store.usedPages() > limit { dropUnstored(now) }
        return true
    }

    /// Gives up the oldest history, and the oldest of what waits where allowed, until no more pages are used; answers
    /// how many unacknowledged reports were dropped.
    private mutating func giveUp(
        in store: OutboxStore, downTo target: Int, isWaitingToo: Bool
    ) throws(StoreError) -> UInt64 {
        let before = counters.droppedFull
        try deleting(from: store) { (outbox) throws(StoreError) in
            while try store.usedPages() > target {
                if let place = try outbox.oldestHistory(store) {
                    try outbox.delete(place.numbers, from: store)
                } else if isWaitingToo, let place = try store.place(from: outbox.firstNumber),
                    place.numbers.upperBound <= outbox.storedEnd
                {
                    outbox.counters.droppedFull += outbox.forget(place.numbers)
                    try outbox.delete(place.numbers, from: store)
                } else {
                    break
                }
            }
        }
        return counters.droppedFull - before
    }

    /// Runs `body` as one transaction; nothing is deleted, here or on disk, where it fails.
    private mutating func deleting(
        from store: OutboxStore, _ body: (inout Outbox) throws(StoreError) -> Void
    ) throws(StoreError) {
        let before = self
        do throws(StoreError) {
            try store.write(isDurable: false) { () throws(StoreError) in try body(&self) }
        } catch {
            self = before
            throw error
        }
    }

    /// The disk is full: the oldest history makes room, and the oldest that waits once memory is half full. Answers
    /// whether there is some.
    mutating func giveUpSpace(_ store: OutboxStore) -> Bool {
        store.emptyLog()
        let isPressing = recent.count > settings.memoryCapacity / 2 && settings.whenFull == .dropOldest
        do throws(StoreError) {
            let used = try store.usedPages()
            let needed = 8 + recent.count * Int(bytesPerReport) * 2 / OutboxStore.pageSize
            _ = try giveUp(in: store, downTo: used - needed, isWaitingToo: isPressing)
            return try store.usedPages() < used
        } catch {
            return false
        }
    }

    private mutating func dropUnstored(_ now: MonotonicInstant) {
        for range in waiting.intersection(storedEnd..<endNumber).ranges {
            counters.droppedFull += forget(range)
            for number in range { recent.remove(number) }
        }
        tell(.full(path: files.database, dropping: .dropNewest), now)
    }

    /// Takes reports out of all that is known of them; answers how many were unacknowledged.
    private mutating func forget(_ numbers: Range<UInt64>) -> UInt64 {
        let before = waiting.count + handedOver.count
        waiting.remove(numbers)
        handedOver.remove(numbers)
        return before - waiting.count - handedOver.count
    }

    private mutating func delete(_ numbers: Range<UInt64>, from store: OutboxStore) throws(StoreError) {
        try store.delete(numbers)
        if changedSince == nil { changedSince = lastNow }
        if numbers.upperBound > joinedEnd {
            recent.removeAll(below: numbers.upperBound)
            joinedEnd = numbers.upperBound
        }
        if backlogPiece?.numbers == numbers { backlogPiece = nil }
        if resendPiece?.numbers == numbers { resendPiece = nil }
        if numbers.lowerBound <= firstNumber {
            firstNumber = min(try store.place(from: numbers.upperBound)?.numbers.lowerBound ?? joinedEnd, joinedEnd)
            runs.forget(below: firstNumber)
            quarantine.forget(below: firstNumber)
        }
    }

    /// The oldest piece of which everything was acknowledged.
    private func oldestHistory(
        _ store: OutboxStore
    ) throws(StoreError) -> (numbers: Range<UInt64>, time: UTCInstant?)? {
        var next = firstNumber
        while next < storedEnd, let place = try store.place(from: next), place.numbers.upperBound <= storedEnd {
            guard let number = firstUnacknowledged(from: place.numbers.lowerBound),
                number < place.numbers.upperBound
            else { return place }
            let range = (waiting.ranges + handedOver.ranges).first { $0.contains(number) }
            next = max(place.numbers.upperBound, range?.upperBound ?? 0)
        }
        return nil
    }

    /// Drops what is too old, where the time is known.
    mutating func checkAges(_ now: MonotonicInstant) {
        guard let utc = utc(now), let store, isWritable,
            now - agesCheckedAt >= Outbox.ageInterval || now == agesCheckedAt
        else { return }
        agesCheckedAt = now
        let oldest = utc + (.zero - settings.maximumAge)
        let oldestHistory = utc + (.zero - settings.history)
        do throws(StoreError) {
            try deleting(from: store) { (outbox) throws(StoreError) in
                while let place = try store.place(from: outbox.firstNumber),
                    place.numbers.upperBound <= outbox.storedEnd, let time = place.time, time < oldest
                {
                    outbox.counters.droppedAge += outbox.forget(place.numbers)
                    try outbox.delete(place.numbers, from: store)
                }
                while let place = try outbox.oldestHistory(store), let time = place.time, time < oldestHistory {
                    try outbox.delete(place.numbers, from: store)
                }
            }
        } catch {
            storeFailed(error, now)
        }
    }

    /// Keeps what is in memory within bounds while nothing can be stored.
    mutating func limitMemory() {
        guard !isWritable, recent.count > settings.memoryCapacity, let first = recent.firstNumber else { return }
        let isUnacknowledged = firstUnacknowledged(from: first) == first && first >= storedEnd
        if isUnacknowledged, settings.whenFull == .dropNewest {
            // The newest may still go out at once; the one before it had its time.
            let number = endNumber - 2
            guard waiting.contains(number) else { return }
            counters.droppedFull += forget(number..<number + 1)
            recent.remove(number)
            return
        }
        if isUnacknowledged { counters.droppedFull += forget(first..<first + 1) }
        recent.removeFirst()
        if store != nil || first < storedEnd { joinedEnd = max(joinedEnd, min(first + 1, storedEnd)) }
    }
}
