import Delivery
import Positioning
import Testing

func draft(_ latitude: Double = 0, reliable: Bool = true) -> ReportDraft {
    var location = Location(coordinate: Coordinate(latitude: latitude, longitude: 0), horizontalAccuracy: 5)
    if !reliable { location.unreliable = .accuracy }
    return ReportDraft(location: location)
}

private let now = MonotonicInstant(nanoseconds: 0)

@Suite struct MemoryQueueTests {
    @Test func sequencesCountFromOneAndTheIdentityIsComplete() {
        var queue = MemoryQueue(instance: "k3f9a2", boot: 7)
        #expect(queue.lastSequence == 0)
        #expect(
            queue.append(draft(), now: now).report.identity == ReportIdentity(instance: "k3f9a2", boot: 7, sequence: 1))
        #expect(queue.append(draft(), now: now).report.identity.sequence == 2)
        #expect(queue.lastSequence == 2)
        #expect(queue.waitingCount == 2)
    }

    @Test func whatIsGivenBackIsTakenAgainAndWhatIsRetiredNever() {
        var queue = MemoryQueue(instance: "i", boot: 1)
        for _ in 0..<3 { queue.append(draft(), now: now) }
        #expect((0..<3).compactMap { _ in queue.take(1..<10)?.report.identity.sequence } == [1, 2, 3])
        #expect(queue.take(1..<10) == nil)
        queue.retire(2..<3)
        queue.giveBack(1..<4)
        #expect(queue.waitingCount == 2)
        #expect((0..<3).compactMap { _ in queue.take(1..<10)?.report.identity.sequence } == [1, 3])
    }

    @Test("M05: a full queue drops its oldest and counts it") func m05BoundedQueue() {
        var queue = MemoryQueue(instance: "i", boot: 1, capacity: 100)
        // Three days at 1 Hz without a broker.
        for _ in 0..<259_200 { queue.append(draft(), now: now) }
        #expect(queue.waitingCount == 100)
        #expect(queue.droppedCount == 259_100)
        #expect(queue.take(1..<259_201)?.report.identity.sequence == 259_101)
    }

    @Test func aDroppedReportThatWasHandedOverComesBackFromNowhere() {
        var queue = MemoryQueue(instance: "i", boot: 1, capacity: 2)
        queue.append(draft(), now: now)
        _ = queue.take(1..<2)
        for _ in 0..<2 { queue.append(draft(), now: now) }
        queue.giveBack(1..<2)
        queue.retire(1..<2)
        #expect(queue.waitingCount == 2)
        #expect(queue.droppedCount == 1)
        #expect(queue.take(1..<9)?.report.identity.sequence == 2)
    }

    @Test func growingKeepsEverythingInOrder() {
        var queue = MemoryQueue(instance: "i", boot: 1, capacity: 1000)
        var taken: [UInt64] = []
        for round in 0..<40 {
            for _ in 0..<20 { queue.append(draft(Double(round)), now: now) }
            for _ in 0..<3 { if let report = queue.take(1..<2000) { taken.append(report.report.identity.sequence) } }
            if round == 10 { queue.retire(1..<20) }
        }
        #expect(taken == Array(1...120))
        #expect(queue.waitingCount == 680)
        #expect(queue.droppedCount == 0)
    }

    @Test func whatIsHeldIsFoundByItsIdentityInWhateverState() {
        var queue = MemoryQueue(instance: "i", boot: 3, capacity: 4)
        for _ in 0..<6 { queue.append(draft(), now: now) }
        _ = queue.take(4..<5)
        #expect(queue.held(instance: "i", boot: 3, sequences: 1...9).ranges == [3..<7])
        #expect(queue.held(instance: "i", boot: 2, sequences: 1...9).isEmpty)
        #expect(queue.held(instance: "j", boot: 3, sequences: 1...9).isEmpty)
        #expect(queue.read(1..<9)?.number == 3)
        #expect(queue.firstWaiting(in: 4..<9) == 5)
        queue.retire(4..<5)
        #expect(queue.read(4..<5) == nil)
    }

    @Test func aNewIdentityIsGivenInTheOldOrder() {
        var queue = MemoryQueue(instance: "i", boot: 3)
        for latitude in 1...3 { queue.append(draft(Double(latitude)), now: now) }
        queue.renew(instance: "new", boot: 1, now: now)
        let taken = (0..<3).compactMap { _ in queue.take(0..<queue.endNumber)?.report }
        #expect(taken.map(\.location.coordinate.latitude) == [1, 2, 3])
        #expect(taken.map(\.identity) == (1...3).map { ReportIdentity(instance: "new", boot: 1, sequence: $0) })
    }
}
