/// A job at a deadline. Confined to its loop's thread.
public final class LoopTimer {
    let deadline: Int64
    private var job: (() -> Void)?

    init(_ deadline: Int64, _ job: @escaping () -> Void) {
        self.deadline = deadline
        self.job = job
    }

    var isCancelled: Bool { job == nil }

    func fire() {
        let job = job
        self.job = nil
        job?()
    }

    /// Takes the job back. Idempotent.
    public func cancel() { job = nil }
}

/// Timers by deadline, those of one deadline in the order in which they were made.
struct TimerHeap {
    private struct Entry {
        var deadline: Int64
        var order: UInt64
        var timer: LoopTimer

        func isBefore(_ other: Entry) -> Bool { (deadline, order) < (other.deadline, other.order) }
    }

    private var entries: [Entry] = []
    private var made: UInt64 = 0

    /// The deadline of the first timer that still has a job.
    var nextDeadline: Int64? {
        mutating get {
            while let first = entries.first, first.timer.isCancelled { removeFirst() }
            return entries.first?.deadline
        }
    }

    mutating func insert(_ timer: LoopTimer) {
        made += 1
        entries.append(Entry(deadline: timer.deadline, order: made, timer: timer))
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popDue(_ now: Int64) -> LoopTimer? {
        guard let deadline = nextDeadline, deadline <= now else { return nil }
        let timer = entries[0].timer
        removeFirst()
        return timer
    }

    private mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].isBefore(entries[least]) { least = child }
            }
            if least == parent { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
