public import Positioning

/// A bounded queue in memory: a ring indexed by sequence, which is a report's number too, so that every step takes
/// constant time. What it holds is lost when the process ends, and there is no history.
public struct MemoryQueue: ReportQueue {
    /// The report stays in its place while its state changes; that of a free slot is of no use any more.
    private struct Slot {
        enum State { case free, waiting, handedOver }

        var state = State.free
        var report: Report?
    }

    private var instance: String
    private var boot: UInt64
    private let capacity: Int
    private var slots: [Slot] = []
    /// The oldest sequence that may still be held.
    private var base: UInt64 = 1
    public private(set) var lastSequence: UInt64 = 0
    public private(set) var waitingCount = 0
    public private(set) var droppedCount: UInt64 = 0

    /// - Parameter capacity: reports held at the most, handed over or waiting; about 300 bytes each.
    public init(instance: String, boot: UInt64, capacity: Int = 3600) {
        precondition(capacity > 0, "a queue holds at least one report")
        self.instance = instance
        self.boot = boot
        self.capacity = capacity
        slots = Array(repeating: Slot(), count: min(capacity, 64))
    }

    public var firstNumber: UInt64 { base }

    public var endNumber: UInt64 { lastSequence + 1 }

    public var nextDeadline: MonotonicInstant? { nil }

    @discardableResult
    public mutating func append(_ draft: ReportDraft, now: MonotonicInstant) -> QueuedReport {
        lastSequence += 1
        let report = Report(
            identity: ReportIdentity(instance: instance, boot: boot, sequence: lastSequence), draft: draft)
        makeRoom()
        slots[index(lastSequence)] = Slot(state: .waiting, report: report)
        waitingCount += 1
        return QueuedReport(number: lastSequence, report: report)
    }

    public mutating func take(_ range: Range<UInt64>) -> QueuedReport? {
        guard waitingCount > 0 else { return nil }
        for sequence in held(range) {
            let place = index(sequence)
            if slots[place].state == .waiting {
                slots[place].state = .handedOver
                waitingCount -= 1
                return slots[place].report.map { QueuedReport(number: sequence, report: $0) }
            }
        }
        return nil
    }

    public mutating func retire(_ range: Range<UInt64>) {
        for sequence in held(range) {
            let place = index(sequence)
            if slots[place].state == .handedOver { slots[place].state = .free }
        }
        while base <= lastSequence, slots[index(base)].state == .free { base += 1 }
    }

    public mutating func giveBack(_ range: Range<UInt64>) {
        for sequence in held(range) {
            let place = index(sequence)
            if slots[place].state == .handedOver {
                slots[place].state = .waiting
                waitingCount += 1
            }
        }
    }

    public mutating func setAside(_ range: Range<UInt64>, reason: UInt8) { retire(range) }

    public func firstWaiting(in numbers: Range<UInt64>) -> UInt64? {
        guard waitingCount > 0 else { return nil }
        return held(numbers).first { slots[index($0)].state == .waiting }
    }

    public func held(instance: String, boot: UInt64, sequences: ClosedRange<UInt64>) -> SequenceRanges {
        var result = SequenceRanges()
        guard instance == self.instance, boot == self.boot, sequences.lowerBound < endNumber else { return result }
        let asked = sequences.lowerBound..<min(sequences.upperBound, lastSequence) + 1
        for sequence in held(asked) where slots[index(sequence)].state != .free { result.insert(sequence) }
        return result
    }

    public func read(_ numbers: Range<UInt64>) -> QueuedReport? {
        for sequence in held(numbers) where slots[index(sequence)].state != .free {
            return slots[index(sequence)].report.map { QueuedReport(number: sequence, report: $0) }
        }
        return nil
    }

    public mutating func deadlinePassed(now: MonotonicInstant) {}

    public mutating func linkLost(now: MonotonicInstant) {}

    public mutating func close(now: MonotonicInstant) {}

    public mutating func renew(instance: String, boot: UInt64, now: MonotonicInstant) {
        var new = MemoryQueue(instance: instance, boot: boot, capacity: capacity)
        while let queued = take(base..<endNumber) { new.append(queued.report.draft, now: now) }
        new.droppedCount += droppedCount
        self = new
    }

    private func index(_ sequence: UInt64) -> Int { Int(sequence % UInt64(slots.count)) }

    private func held(_ range: Range<UInt64>) -> Range<UInt64> { range.clamped(to: base..<lastSequence + 1) }

    /// Grows the ring up to its capacity, then drops the oldest.
    private mutating func makeRoom() {
        guard lastSequence - base >= UInt64(slots.count) else { return }
        if slots.count < capacity {
            let old = slots
            slots = Array(repeating: Slot(), count: min(capacity, old.count * 2))
            for sequence in base..<lastSequence {
                slots[index(sequence)] = old[Int(sequence % UInt64(old.count))]
            }
            return
        }
        switch slots[index(base)].state {
        case .waiting:
            waitingCount -= 1
            droppedCount += 1
        case .handedOver: droppedCount += 1
        case .free: break
        }
        slots[index(base)].state = .free
        base += 1
    }
}
