/// Reports under way, as one message.
struct InFlight {
    enum Lane { case live, track }

    var token: UInt64
    /// May have gaps: reports that were acknowledged before.
    var sequences: Range<UInt64>
    var count: Int
    var lane: Lane
}

/// What is unacknowledged, oldest first; brokers acknowledge in that order.
struct InFlightList {
    private var storage: [InFlight] = []
    /// Those before it are done; they are removed many at a time, for moving the rest costs more than finding it.
    private var first = 0

    var entries: ArraySlice<InFlight> { storage[first...] }
    var count: Int { storage.count - first }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ entry: InFlight) { storage.append(entry) }

    mutating func remove(token: UInt64) -> InFlight? {
        guard let index = entries.firstIndex(where: { $0.token == token }) else { return nil }
        guard index == first else { return storage.remove(at: index) }
        let entry = storage[index]
        first += 1
        if first == storage.count || first >= 256 {
            storage.removeFirst(first)
            first = 0
        }
        return entry
    }

    mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        first = 0
    }
}
