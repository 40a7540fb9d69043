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

    /// When the oldest was handed over, nanoseconds.
    var oldest: Int64? { entries.first?.at }

    mutating func append(mid: Int32?, id: PublishID, at: Int64) {
        entries.append(Entry(mid: mid, id: id, at: at))
    }

    mutating func remove(mid: Int32) -> PublishID? {
        guard let index = entries.firstIndex(where: { $0.mid == mid }) else { return nil }
        return entries.remove(at: index).id
    }

    /// Removes those that only had to be written.
    mutating func removeWritten() -> [PublishID] {
        guard entries.contains(where: { $0.mid == nil }) else { return [] }
        let written = entries.filter { $0.mid == nil }.map(\.id)
        entries.removeAll { $0.mid == nil }
        return written
    }

    mutating func removeAll() -> [PublishID] {
        let ids = entries.map(\.id)
        entries.removeAll()
        return ids
    }
}
