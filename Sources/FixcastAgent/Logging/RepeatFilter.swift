/// Keeps a log readable: the same entry again within a minute is counted instead of written, and the count is told
/// with the next one that is written.
struct RepeatFilter: Equatable {
    private struct Seen: Equatable {
        var entry: LogEntry
        var until: Int64
        var held: Int
    }

    private static let quiet: Int64 = 60_000_000_000
    /// More different codes than the agent has; a bound all the same.
    private static let capacity = 64
    private var seen: [Seen] = []

    /// The entry to write, or `nil` where it repeats one.
    ///
    /// - Parameter now: nanoseconds of the monotonic clock.
    mutating func pass(_ entry: LogEntry, now: Int64) -> LogEntry? {
        guard let index = seen.firstIndex(where: { $0.entry.code == entry.code }) else {
            if seen.count == Self.capacity { seen.removeFirst() }
            seen.append(Seen(entry: entry, until: now + Self.quiet, held: 0))
            return entry
        }
        if seen[index].entry == entry, now < seen[index].until {
            seen[index].held += 1
            return nil
        }
        var written = entry
        if seen[index].held > 0, seen[index].entry == entry {
            written.message += " (\(seen[index].held) times more since the last line)"
        }
        seen[index] = Seen(entry: entry, until: now + Self.quiet, held: 0)
        return written
    }
}
