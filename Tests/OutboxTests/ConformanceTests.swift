import Delivery
import FixcastTestKit
import Positioning
import Testing

@testable import Outbox

/// What every queue must do, whatever keeps its reports.
@Suite struct ConformanceTests {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case memory, strict, normal, none
        var testDescription: String { rawValue }
    }

    private static let now = MonotonicInstant(nanoseconds: 5_000_000_000)

    /// Runs `body` with a new queue of the kind.
    private func withQueue(_ kind: Kind, _ body: (inout any ReportQueue, MonotonicInstant) throws -> Void) throws {
        guard kind != .memory else {
            var queue: any ReportQueue = MemoryQueue(instance: "k3f9a2", boot: 1)
            try body(&queue, Self.now)
            return
        }
        let scene = try OutboxScene(.init(rawValue: kind.rawValue)!)
        var queue: any ReportQueue = scene.open()
        try body(&queue, scene.now)
        #expect(scene.notices.all.isEmpty)
    }

    @Test(arguments: Kind.allCases) func identityCountsUpFromOne(_ kind: Kind) throws {
        try withQueue(kind) { queue, now in
            #expect(queue.lastSequence == 0)
            let end = queue.endNumber
            for index in 1...5 {
                let queued = queue.append(draft(index), now: now)
                #expect(queued.number == end + UInt64(index) - 1)
                #expect(
                    queued.report.identity
                        == ReportIdentity(instance: "k3f9a2", boot: 1, sequence: UInt64(index)))
                #expect(queued.report.draft == draft(index))
            }
            #expect(queue.lastSequence == 5)
            #expect(queue.endNumber == end + 5)
            #expect(queue.firstNumber <= end)
            #expect(queue.waitingCount == 5)
        }
    }

    @Test(arguments: Kind.allCases) func theOldestIsTakenFirstAndOnce(_ kind: Kind) throws {
        try withQueue(kind) { queue, now in
            let start = queue.endNumber
            for index in 1...600 { queue.append(draft(index), now: now) }
            let taken = queue.takeAll()
            #expect(taken.sequences == Array(1...600))
            #expect(taken.map(\.number) == Array(start..<start + 600))
            #expect(taken.map(\.report.draft) == (1...600).map { draft($0) })
            #expect(queue.waitingCount == 0)
            #expect(queue.take(0..<UInt64.max) == nil)
            #expect(queue.firstWaiting(in: 0..<UInt64.max) == nil)
        }
    }

    @Test(arguments: Kind.allCases) func rangesBindWhatIsTaken(_ kind: Kind) throws {
        try withQueue(kind) { queue, now in
            let start = queue.endNumber
            for index in 1...9 { queue.append(draft(index), now: now) }
            #expect(queue.take(start + 3..<start + 5)?.number == start + 3)
            #expect(queue.firstWaiting(in: start + 3..<start + 5) == start + 4)
            #expect(queue.take(start + 3..<start + 5)?.number == start + 4)
            #expect(queue.take(start + 3..<start + 5) == nil)
            #expect(queue.take(start..<start) == nil)
            #expect(queue.takeAll().sequences == [1, 2, 3, 6, 7, 8, 9])
        }
    }

    @Test(arguments: Kind.allCases) func whatIsGivenBackWaitsAgainWhatIsRetiredDoesNot(_ kind: Kind) throws {
        try withQueue(kind) { queue, now in
            let start = queue.endNumber
            for index in 1...8 { queue.append(draft(index), now: now) }
            for _ in 1...6 { _ = queue.take(0..<UInt64.max) }
            queue.retire(start + 1..<start + 3)
            queue.giveBack(start..<start + 7)
            #expect(queue.waitingCount == 6)
            // What waits was not handed over.
            queue.retire(start..<start + 8)
            #expect(queue.takeAll().sequences == [1, 4, 5, 6, 7, 8])
            queue.setAside(start..<start + 1, reason: 0x97)
            queue.giveBack(start..<start + 8)
            #expect(queue.takeAll().sequences == [4, 5, 6, 7, 8])
            #expect(queue.droppedCount == 0)
        }
    }

    @Test(arguments: Kind.allCases) func whatIsHeldCanBeReadInWhateverState(_ kind: Kind) throws {
        try withQueue(kind) { queue, now in
            let start = queue.endNumber
            for index in 1...400 { queue.append(draft(index), now: now) }
            let held = queue.held(instance: "k3f9a2", boot: 1, sequences: 11...9999)
            #expect(held == SequenceRanges(start + 10..<start + 400))
            #expect(queue.held(instance: "k3f9a2", boot: 2, sequences: 1...9).isEmpty)
            #expect(queue.held(instance: "other", boot: 1, sequences: 1...9).isEmpty)
            #expect(queue.held(instance: "k3f9a2", boot: 1, sequences: 401...UInt64.max).isEmpty)
            let waiting = queue.waitingCount
            for index: UInt64 in [0, 255, 256, 399, 12] {
                let queued = queue.read(start + index..<start + index + 1)
                #expect(queued?.report.draft == draft(Int(index) + 1))
                #expect(queued?.report.identity.sequence == index + 1)
            }
            #expect(queue.read(start + 400..<start + 500) == nil)
            #expect(queue.waitingCount == waiting)
            #expect(queue.read(0..<start + 1)?.number == start)
        }
    }

    @Test(arguments: Kind.allCases) func renewedReportsKeepTheirOrder(_ kind: Kind) throws {
        try withQueue(kind) { queue, now in
            for index in 1...300 { queue.append(draft(index), now: now) }
            queue.renew(instance: "new", boot: 7, now: now)
            #expect(queue.lastSequence == 300)
            #expect(queue.append(draft(301), now: now).report.identity.sequence == 301)
            #expect(queue.waitingCount == 301)
            #expect(queue.held(instance: "k3f9a2", boot: 1, sequences: 1...300).isEmpty)
            #expect(queue.held(instance: "new", boot: 7, sequences: 1...301).count == 301)
            let taken = queue.takeAll()
            #expect(taken.map(\.report.draft) == (1...301).map { draft($0) })
            #expect(taken.sequences == Array(1...301))
            #expect(taken.allSatisfy { $0.report.identity.instance == "new" && $0.report.identity.boot == 7 })
            #expect(queue.droppedCount == 0)
        }
    }

    @Test(arguments: Kind.allCases) func renewingNothingIsFine(_ kind: Kind) throws {
        try withQueue(kind) { queue, now in
            queue.renew(instance: "new", boot: 2, now: now)
            #expect(queue.append(draft(1), now: now).report.identity.instance == "new")
            #expect(queue.takeAll().sequences == [1])
        }
    }

    @Test("Random steps do the same to every queue", arguments: [Kind.strict, .normal, .none], 1...4)
    func randomSteps(_ kind: Kind, seed: Int) throws {
        try withQueue(kind) { queue, start in
            var model: any ReportQueue = MemoryQueue(instance: "k3f9a2", boot: 1, capacity: 100_000)
            let shift = queue.endNumber - model.endNumber
            var generator = SeededGenerator(seed: UInt64(seed))
            var now = start
            var count = 0
            for _ in 0..<3000 {
                now = now + .milliseconds(Int.random(in: 0...400, using: &generator))
                if let deadline = queue.nextDeadline, deadline <= now { queue.deadlinePassed(now: now) }
                let lower = UInt64.random(in: 1...model.endNumber, using: &generator)
                let range = lower..<min(model.endNumber + 1, lower + UInt64.random(in: 1...40, using: &generator))
                let shifted = range.lowerBound + shift..<range.upperBound + shift
                switch Int.random(in: 0...9, using: &generator) {
                case 0...3:
                    count += 1
                    let one = model.append(draft(count), now: now)
                    let other = queue.append(draft(count), now: now)
                    #expect(other.number == one.number + shift && other.report == one.report)
                case 4...6:
                    let (one, other) = (model.take(range), queue.take(shifted))
                    #expect(other?.number == one.map { $0.number + shift } && other?.report == one?.report)
                case 7:
                    model.retire(range)
                    queue.retire(shifted)
                case 8:
                    model.giveBack(range)
                    queue.giveBack(shifted)
                default:
                    queue.linkLost(now: now)
                    model.setAside(range, reason: 0x97)
                    queue.setAside(shifted, reason: 0x97)
                }
                #expect(queue.waitingCount == model.waitingCount)
                #expect(
                    queue.firstWaiting(in: shifted)
                        == model.firstWaiting(in: range).map { $0 + shift })
            }
            #expect(queue.droppedCount == 0)
        }
    }
}
