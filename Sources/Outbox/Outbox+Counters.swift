internal import Positioning

extension Outbox {
    /// What it holds and has lost; asks the disk for little.
    public func currentCounters() -> OutboxCounters {
        var result = counters
        result.reports = waiting.count + handedOver.count
        result.isStored = isWritable
        result.aside = quarantine.reasons.mapValues(\.count)
        guard let store else { return result }
        do throws(StoreError) {
            result.bytes = try store.usedPages() * OutboxStore.pageSize + StoreFiles.size(files.log)
            if let number = firstUnacknowledged(from: 0), number < storedEnd {
                result.oldest = try store.place(around: number)?.time
            }
        } catch {
            // The next use finds it too, and acts.
            result.isStored = false
        }
        return result
    }
}
