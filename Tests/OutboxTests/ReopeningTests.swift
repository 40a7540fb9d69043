import Delivery
import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import Outbox

@Suite struct ReopeningTests {
    @Test func whatWaitsIsThereAfterAStopInOrderAndOfItsBoot() throws {
        let scene = try OutboxScene(.normal)
        var outbox = scene.open(boot: 1)
        for index in 1...700 { outbox.append(draft(index), now: scene.now) }
        for _ in 1...300 { _ = outbox.take(0..<UInt64.max) }
        outbox.retire(outbox.firstNumber..<outbox.firstNumber + 100)
        outbox.close(now: scene.now)
        #expect(!FileManager.default.fileExists(atPath: scene.log), "the log is copied back at a clean stop")

        var second = scene.open(boot: 2)
        #expect(second.lastSequence == 0)
        #expect(second.waitingCount == 600)
        let new = second.append(draft(701), now: scene.now)
        #expect(new.report.identity == ReportIdentity(instance: "k3f9a2", boot: 2, sequence: 1))
        let taken = second.takeAll()
        #expect(taken.sequences == Array(101...700) + [1])
        #expect(taken.map(\.number) == Array(101...701))
        #expect(taken.map(\.report.draft) == (101...701).map { draft($0) })
        #expect(taken.dropLast().allSatisfy { $0.report.identity.boot == 1 })
        #expect(second.held(instance: "k3f9a2", boot: 1, sequences: 1...700).count == 700, "history")
        #expect(second.droppedCount == 0)
        #expect(scene.notices.all.isEmpty)
    }

    @Test func theSameBootGoesOnBehindWhatItStored() throws {
        let scene = try OutboxScene(.strict)
        var outbox = scene.open(boot: 4)
        for index in 1...5 { outbox.append(draft(index), now: scene.now) }
        outbox.close(now: scene.now)
        var second = scene.open(boot: 4)
        #expect(second.lastSequence == 5)
        #expect(second.append(draft(6), now: scene.now).report.identity.sequence == 6)
        #expect(second.takeAll().sequences == [1, 2, 3, 4, 5, 6])
    }

    @Test("M10: strict keeps every report that was appended, whenever the power is cut")
    func m10StrictPowerCut() throws {
        let scene = try OutboxScene(.strict)
        var outbox = scene.open()
        var counts = SeededGenerator(seed: 1)
        for index in 1...600 {
            outbox.append(draft(index), now: scene.now)
            guard Int.random(in: 0..<20, using: &counts) == 0 else { continue }
            let cut = try scene.copy()
            var other = cut.open(boot: 2)
            #expect(other.takeAll().map(\.report.draft) == (1...index).map { draft($0) })
            #expect(cut.notices.all.isEmpty)
        }
    }

    @Test("M10: normal loses no more than 2 s of unacknowledged reports")
    func m10NormalPowerCut() throws {
        var scene = try OutboxScene(.normal)
        var outbox = scene.open()
        for index in 1...60 {
            outbox.append(draft(index), now: scene.now)
            // As the agent's loop does.
            if let deadline = outbox.nextDeadline, deadline <= scene.now { outbox.deadlinePassed(now: scene.now) }
            var other = try scene.copy().open(boot: 2)
            #expect(other.takeAll().count >= index - 2)
            scene.now = scene.now + .seconds(1)
        }
        outbox.linkLost(now: scene.now)
        var other = try scene.copy().open(boot: 2)
        #expect(other.takeAll().count == 60)
    }

    @Test func whatWasAcknowledgedWithinTwoSecondsWaitsForCompany() throws {
        var scene = try OutboxScene(.normal)
        var outbox = scene.open()
        for index in 1...200 {
            let queued = outbox.append(draft(index), now: scene.now)
            _ = outbox.take(0..<UInt64.max)
            outbox.retire(queued.number..<queued.number + 1)
            #expect(outbox.nextDeadline.map { $0 > scene.now } ?? true)
            scene.now = scene.now + .seconds(1)
        }
        var early = try scene.copy().open(boot: 2)
        #expect(early.held(instance: "k3f9a2", boot: 1, sequences: 1...200).isEmpty)
        scene.now = scene.now + .seconds(100)
        #expect(outbox.nextDeadline! <= scene.now)
        outbox.deadlinePassed(now: scene.now)
        var late = try scene.copy().open(boot: 2)
        #expect(late.held(instance: "k3f9a2", boot: 1, sequences: 1...200).count == 200)
        #expect(late.waitingCount == 0)
    }

    @Test func anAcknowledgementIsOnDiskWithinAMinute() throws {
        var scene = try OutboxScene(.normal)
        var outbox = scene.open()
        for index in 1...1000 { outbox.append(draft(index), now: scene.now) }
        outbox.linkLost(now: scene.now)
        for _ in 1...400 { _ = outbox.take(0..<UInt64.max) }
        outbox.retire(0..<UInt64.max)
        scene.now = scene.now + .seconds(60)
        #expect(outbox.nextDeadline! <= scene.now)
        outbox.deadlinePassed(now: scene.now)
        var other = try scene.copy().open(boot: 2)
        #expect(other.waitingCount == 600)
        #expect(other.takeAll().sequences.first == 401)
    }

    @Test("A database that was rolled back gives no identity twice, and all that it has")
    func rolledBack() throws {
        let scene = try OutboxScene(.strict)
        var outbox = scene.open(boot: 1)
        for index in 1...30 { outbox.append(draft(index), now: scene.now) }
        outbox.close(now: scene.now)
        let old = try scene.copy()
        var second = scene.open(boot: 2)
        for index in 31...60 { second.append(draft(index), now: scene.now) }
        second.close(now: scene.now)
        try copyFiles(from: old.directory.path, to: scene.directory.path)
        var third = scene.open(boot: 3)
        let new = third.append(draft(61), now: scene.now)
        #expect(new.report.identity == ReportIdentity(instance: "k3f9a2", boot: 3, sequence: 1))
        #expect(third.takeAll().map(\.report.draft) == ((1...30).map { draft($0) } + [draft(61)]))
    }

    @Test func aBackLogOfManyBootsIsReadBootByBoot() throws {
        let scene = try OutboxScene(.normal)
        for boot in 1...20 {
            var outbox = scene.open(boot: UInt64(boot))
            for index in 1...boot { outbox.append(draft(boot * 100 + index), now: scene.now) }
            outbox.close(now: scene.now)
        }
        var outbox = scene.open(boot: 21)
        let taken = outbox.takeAll()
        #expect(taken.count == 210)
        #expect(
            taken.map(\.report.identity)
                == (1...20).flatMap { boot in
                    (1...boot).map { ReportIdentity(instance: "k3f9a2", boot: UInt64(boot), sequence: UInt64($0)) }
                })
        for boot in 1...20 {
            #expect(outbox.held(instance: "k3f9a2", boot: UInt64(boot), sequences: 1...99).count == UInt64(boot))
        }
    }

    @Test func whatIsSetAsideIsNotSentAgainAndCounted() throws {
        let scene = try OutboxScene(.strict)
        var outbox = scene.open(boot: 1)
        for index in 1...9 { outbox.append(draft(index), now: scene.now) }
        let start = outbox.firstNumber
        _ = outbox.takeAll()
        outbox.setAside(start..<start + 3, reason: 0x97)
        outbox.setAside(start + 3..<start + 4, reason: 0x95)
        outbox.giveBack(start..<start + 9)
        outbox.close(now: scene.now)
        var second = scene.open(boot: 2)
        #expect(second.currentCounters().aside == [0x97: 3, 0x95: 1])
        #expect(second.currentCounters().reports == 5)
        #expect(second.takeAll().sequences == [5, 6, 7, 8, 9])
        #expect(second.held(instance: "k3f9a2", boot: 1, sequences: 1...9).count == 9)
    }

    @Test func filesAreForTheirOwnerOnly() throws {
        let scene = try OutboxScene(.strict)
        var outbox = scene.open()
        outbox.append(draft(1), now: scene.now)
        for path in [scene.database, scene.log] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.directory.path)
        #expect(Set(names) == ["outbox.db", "outbox.db-wal"])
    }

    @Test func noneTouchesNoDisk() throws {
        let scene = try OutboxScene(.none)
        var outbox = scene.open()
        for index in 1...5000 { outbox.append(draft(index), now: scene.now) }
        #expect(outbox.nextDeadline == nil)
        #expect(outbox.waitingCount == 3600)
        #expect(outbox.droppedCount == 1400)
        #expect(outbox.takeAll().sequences.first == 1401)
        outbox.close(now: scene.now)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.directory.path).isEmpty)
        #expect(scene.notices.all.isEmpty)
    }
}
