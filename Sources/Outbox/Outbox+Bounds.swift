internal import Positioning

/// What is given up where size, age or memory bind.
extension Outbox {
    /// Pages that one flush may need at the most, without large user values.
    private static let flushPages = 8

    /// Keeps the store below its size: history goes first, then by the setting.
    mutating func makeRoom(in store: OutboxStore, _ now: MonotonicInstant) throws(StoreError) {
        guard storedEnd < endNumber else { return }
        let limit = store.maximumPages - Outbox.flushPages
        guard try store.usedPages() > limit else { return }
        // Some more, so that it need not be done each time.
        let target = limit - limit / 32
        try store.write(isDurable: false) { () throws(StoreError) in
            while try store.usedPages() > target {
                if let place = try oldestHistory(store) {
                    try delete(place.numbers, from: store)
                } else if settings.whenFull == .dropOldest, let place = try store.place(from: firstNumber),
                    place.numbers.lowerBound < joinedEnd
                {
                    counters.droppedFull += forget(place.numbers)
                    try delete(place.numbers, from: store)
                    tell(.full(path: files.database, dropping: .dropOldest), now)
                } else {
                    break
                }
            }
        }
        if settings.whenFull == .dropNewest, try store.usedPages() > limit { dropUnstored(now) }
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
        while next < joinedEnd, let place = try store.place(from: next), place.numbers.upperBound <= joinedEnd {
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
            try store.write(isDurable: false) { () throws(StoreError) in
                while let place = try store.place(from: firstNumber), place.numbers.upperBound <= joinedEnd,
                    let time = place.time, time < oldest
                {
                    counters.droppedAge += forget(place.numbers)
                    try delete(place.numbers, from: store)
                }
                while let place = try self.oldestHistory(store), let time = place.time, time < oldestHistory {
                    try delete(place.numbers, from: store)
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
