internal import Delivery
public import Positioning

extension Outbox {
    /// The reports of this boot, of which none was handed over yet, get a new identity: they are appended anew in their
    /// order. Those of earlier boots keep theirs.
    public mutating func renew(instance: String, boot: UInt64, now: MonotonicInstant) {
        lastNow = now
        guard let old = runs.last else { return }
        let numbers = old.first..<endNumber
        (self.instance, self.boot, lastSequence) = (instance, boot, 0)
        beginRun()
        guard !numbers.isEmpty else { return }
        while let queued = take(numbers) {
            handedOver.remove(queued.number)
            append(queued.report.draft, now: now)
        }
        // Nobody may get them under the old identity, which is another agent's: not from history either.
        lose(numbers)
        recent.removeAll(below: numbers.upperBound)
        (backlogPiece, resendPiece) = (nil, nil)
        storedEnd = max(storedEnd, numbers.upperBound)
        joinedEnd = max(joinedEnd, numbers.upperBound)
        runs.removeAll { $0 == old }
        guard let store, isWritable else { return }
        do throws(StoreError) {
            try store.write(isDurable: false) { () throws(StoreError) in try store.delete(numbers) }
        } catch {
            storeFailed(error, now)
        }
        flush(now, isDurable: true)
    }
}

extension Outbox {
    /// Whether each report is on disk before it is sent.
    public var isStrict: Bool { settings.durability == .strict }

    /// The highest sequence that was stored of an earlier boot; `nil` where none of it is known.
    public func lastStored(instance: String, boot: UInt64) -> UInt64? {
        guard let index = runs.lastIndex(where: { $0.instance == instance && $0.boot == boot }) else { return nil }
        let run = runs[index]
        let end = index + 1 < runs.count ? runs[index + 1].first : endNumber
        return end > run.first ? run.sequence + (end - run.first) - 1 : nil
    }
}
