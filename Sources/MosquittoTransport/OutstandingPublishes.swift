internal import MessageTransport

/// Publishes whose outcome is still to come, oldest first. At most a window of them: a search is a few steps, since
/// brokers acknowledge in order.
struct OutstandingPublishes {
    private struct Entry {
        /// `nil`: QoS 0, done once written.
        var mid: Int32?
        var id: PublishID
        var at: Int64
    }

    private var entries: [Entry] = []
    /// Those before it are done; they are removed many at a time, for moving the rest costs more than finding it.
    private var first = 0

    private var waiting: ArraySlice<Entry> { entries[first...] }

    /// When the oldest was handed over, nanoseconds.
    var oldest: Int64? { waiting.first?.at }

    mutating func append(mid: Int32?, id: PublishID, at: Int64) {
        entries.append(Entry(mid: mid, id: id, at: at))
    }

    mutating func remove(mid: Int32) -> PublishID? {
        guard let index = waiting.firstIndex(where: { $0.mid == mid }) else { return nil }
        guard index == first else { return entries.remove(at: index).id }
        first += 1
        defer { if first == entries.count || first >= 256 { forgetDone() } }
        return entries[index].id
    }

    /// Removes those that only had to be written.
    mutating func removeWritten() -> [PublishID] {
        guard waiting.contains(where: { $0.mid == nil }) else { return [] }
        forgetDone()
        let written = entries.filter { $0.mid == nil }.map(\.id)
        entries.removeAll { $0.mid == nil }
        return written
    }

    mutating func removeAll() -> [PublishID] {
        let ids = waiting.map(\.id)
        entries.removeAll()
        first = 0
        return ids
    }

    private mutating func forgetDone() {
        entries.removeFirst(first)
        first = 0
    }
}
