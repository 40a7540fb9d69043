import Delivery
import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import Outbox

@Suite struct BoundsTests {
    private func size(_ scene: OutboxScene) -> Int {
        [scene.database, scene.log].reduce(0) { sum, path in
            sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
        }
    }

    @Test("M05, M10: a full outbox drops its oldest, counted, and stays within its size", arguments: [0, 500])
    func dropOldest(acknowledged: Int) throws {
        var scene = try OutboxScene(.normal)
        scene.settings.maximumSize = OutboxSettings.smallestSize
        var outbox = scene.open(boot: 1)
        // So that the size binds whatever a report takes.
        let count = 12_000
        for index in 1...count {
            var draft = draft(index)
            draft.location.passedValues = PassedValues(json: Array("{\"n\":\"\(index * 7_919_317)\"}".utf8))
            outbox.append(draft, now: scene.now)
            if index == acknowledged {
                _ = outbox.takeAll()
                outbox.retire(0..<UInt64.max)
            }
            if index.isMultiple(of: 500) { #expect(size(scene) <= scene.settings.maximumSize) }
        }
        let dropped = Int(outbox.droppedCount)
        #expect(dropped > 0)
        #expect(outbox.currentCounters().droppedFull == outbox.droppedCount)
        #expect(outbox.waitingCount == count - acknowledged - dropped)
        #expect(outbox.held(instance: "k3f9a2", boot: 1, sequences: 1...500).isEmpty, "history goes first")
        #expect(scene.notices.codes == ["outboxFull"])
        outbox.close(now: scene.now)
        var second = scene.open(boot: 2)
        let taken = second.takeAll()
        #expect(taken.sequences == Array((UInt64(acknowledged) + outbox.droppedCount + 1)...UInt64(count)))
        #expect(second.droppedCount == 0)
    }

    @Test func dropNewest() throws {
        var scene = try OutboxScene(.normal)
        scene.settings.maximumSize = OutboxSettings.smallestSize
        scene.settings.whenFull = .dropNewest
        var outbox = scene.open(boot: 1)
        var live = 0
        for index in 1...12_000 {
            var draft = draft(index)
            draft.location.passedValues = PassedValues(json: Array("{\"n\":\"\(index * 7_919_317)\"}".utf8))
            let queued = outbox.append(draft, now: scene.now)
            // The newest can always go out at once.
            if index.isMultiple(of: 1000), outbox.take(queued.number..<queued.number + 1) == queued {
                outbox.retire(queued.number..<queued.number + 1)
                live += 1
            }
        }
        outbox.linkLost(now: scene.now)
        #expect(live == 12)
        #expect(outbox.droppedCount > 0)
        #expect(outbox.waitingCount + Int(outbox.droppedCount) + live == 12_000)
        #expect(outbox.take(0..<UInt64.max)?.report.identity.sequence == 1)
        #expect(scene.notices.codes == ["outboxFull"])
        #expect(size(scene) <= scene.settings.maximumSize)
    }

    @Test func historyAndBacklogAge() throws {
        var scene = try OutboxScene(.normal)
        scene.settings.history = .seconds(3600)
        scene.settings.maximumAge = .seconds(7200)
        var outbox = scene.open(boot: 1)
        func pass(_ seconds: Int) {
            for _ in 0..<seconds / 60 {
                scene.now = scene.now + .seconds(60)
                if let deadline = outbox.nextDeadline, deadline <= scene.now { outbox.deadlinePassed(now: scene.now) }
            }
        }
        for index in 1...600 { outbox.append(draft(index), now: scene.now) }
        for _ in 1...300 { _ = outbox.take(0..<UInt64.max) }
        outbox.retire(0..<UInt64.max)
        pass(3000)
        #expect(outbox.held(instance: "k3f9a2", boot: 1, sequences: 1...600).count == 600)
        pass(1800)
        let held = outbox.held(instance: "k3f9a2", boot: 1, sequences: 1...600).count
        #expect((300..<600).contains(held), "history is gone, but for what shares a piece with what waits")
        #expect(outbox.waitingCount == 300)
        #expect(outbox.droppedCount == 0)
        pass(3600)
        #expect(outbox.waitingCount == 0)
        #expect(outbox.currentCounters().droppedAge == 300)
        #expect(outbox.held(instance: "k3f9a2", boot: 1, sequences: 1...600).isEmpty)
    }

    @Test func withoutAClockNothingIsTooOld() throws {
        var scene = try OutboxScene(.normal)
        scene.settings.maximumAge = .seconds(60)
        var outbox = scene.open(boot: 1, utc: nil)
        for index in 1...600 { outbox.append(draft(index), now: scene.now) }
        outbox.linkLost(now: scene.now)
        scene.now = scene.now + .seconds(86_400)
        outbox.deadlinePassed(now: scene.now)
        #expect(outbox.waitingCount == 600)
    }

    @Test("M05: three days without a broker stay within memory and disk") func m05ThreeDays() throws {
        var scene = try OutboxScene(.normal)
        scene.settings.maximumSize = 2_000_000
        var outbox = scene.open(boot: 1)
        for index in 1...259_200 {
            outbox.append(draft(index), now: scene.now)
            if index.isMultiple(of: 20_000) {
                #expect(size(scene) <= scene.settings.maximumSize)
                #expect(outbox.recent.count <= 2 * Piece.countLimit)
                #expect(outbox.waiting.ranges.count <= 2)
            }
        }
        #expect(outbox.waitingCount + Int(outbox.droppedCount) == 259_200)
    }
}
