import Delivery
import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import Outbox

/// The store cannot be used for a while: the outbox works on in memory, and takes the store up again.
@Suite struct OutageTests {
    private let files = FileManager.default

    @Test("M10: a file where the directory should be") func m10NoDirectory() throws {
        var scene = try OutboxScene(.normal)
        let directory = scene.directory.path + "/state"
        scene.settings.directory = directory
        try Data("in the way".utf8).write(to: URL(fileURLWithPath: directory))
        var outbox = scene.open(boot: 1)
        #expect(scene.notices.codes == ["outboxUnavailable"])
        for index in 1...50 { outbox.append(draft(index), now: scene.now) }
        #expect(outbox.takeAll().sequences == Array(1...50), "live goes on")
        outbox.giveBack(0..<UInt64.max)
        #expect(!outbox.currentCounters().isStored)

        // It is tried again after a minute, then less often, and said once an hour.
        var tries = 0
        for _ in 0..<1800 {
            scene.now = scene.now + .seconds(1)
            if let deadline = outbox.nextDeadline, deadline <= scene.now {
                tries += 1
                outbox.deadlinePassed(now: scene.now)
            }
        }
        #expect((4...6).contains(tries))
        #expect(scene.notices.codes == ["outboxUnavailable"])

        try files.removeItem(atPath: directory)
        scene.now = scene.now + .seconds(600)
        outbox.deadlinePassed(now: scene.now)
        #expect(scene.notices.codes == ["outboxUnavailable", "outboxRecovered"])
        outbox.append(draft(51), now: scene.now)
        outbox.close(now: scene.now)
        var second = scene.open(boot: 2)
        #expect(second.takeAll().map(\.report.draft) == (1...51).map { draft($0) })
    }

    @Test("A store that comes late is taken up below what was numbered by then") func lateStore() throws {
        var scene = try OutboxScene(.normal)
        var first = scene.open(boot: 1)
        for index in 1...300 { first.append(draft(index), now: scene.now) }
        for _ in 1...100 { _ = first.take(0..<UInt64.max) }
        first.retire(0..<UInt64.max)
        first.close(now: scene.now)
        let away = scene.directory.path + "-away"
        try files.moveItem(atPath: scene.directory.path, toPath: away)
        try Data().write(to: URL(fileURLWithPath: scene.directory.path))

        var outbox = scene.open(boot: 2)
        for index in 301...310 { outbox.append(draft(index), now: scene.now) }
        try files.removeItem(atPath: scene.directory.path)
        try files.moveItem(atPath: away, toPath: scene.directory.path)
        scene.now = scene.now + .seconds(60)
        #expect(outbox.nextDeadline == scene.now)
        outbox.deadlinePassed(now: scene.now)
        #expect(scene.notices.codes == ["outboxUnavailable", "outboxRecovered"])
        #expect(outbox.waitingCount == 210)
        #expect(outbox.held(instance: "k3f9a2", boot: 1, sequences: 1...300).count == 300)
        let number = outbox.append(draft(311), now: scene.now).number
        #expect(outbox.read(number..<number + 1)?.report.draft == draft(311))
        let taken = outbox.takeAll()
        #expect(taken.map(\.report.draft) == (101...311).map { draft($0) })
        #expect(taken.sequences == Array(101...300) + Array(1...11))
        #expect(taken.last?.number == number)
        outbox.retire(0..<taken[149].number)
        outbox.giveBack(0..<UInt64.max)
        outbox.close(now: scene.now)

        var third = scene.open(boot: 3)
        #expect(third.takeAll().map(\.report.draft) == (250...311).map { draft($0) })
        #expect(third.held(instance: "k3f9a2", boot: 2, sequences: 1...11).count == 11)
    }

    @Test("M10: the directory vanishes while the agent runs") func m10VanishedDirectory() throws {
        var scene = try OutboxScene(.normal)
        var outbox = scene.open(boot: 1)
        for index in 1...600 { outbox.append(draft(index), now: scene.now) }
        outbox.linkLost(now: scene.now)
        try files.removeItem(atPath: scene.directory.path)
        outbox.append(draft(601), now: scene.now)
        outbox.linkLost(now: scene.now)
        #expect(scene.notices.codes == ["outboxUnavailable"])
        #expect(outbox.take(0..<UInt64.max)?.report.draft == draft(1), "what is stored can still be read")
        outbox.giveBack(0..<UInt64.max)
        for index in 602...610 { outbox.append(draft(index), now: scene.now) }

        scene.now = scene.now + .seconds(60)
        outbox.deadlinePassed(now: scene.now)
        #expect(scene.notices.codes == ["outboxUnavailable", "outboxRecovered"])
        #expect(files.fileExists(atPath: scene.database))
        #expect(outbox.droppedCount == 0)
        var other = try scene.copy().open(boot: 2)
        #expect(other.takeAll().map(\.report.draft) == (1...610).map { draft($0) })
        #expect(outbox.takeAll().map(\.report.draft) == (1...610).map { draft($0) })
    }

    @Test("Another database in the place of ours is put aside") func foreignDatabase() throws {
        var scene = try OutboxScene(.strict)
        let other = try OutboxScene(.strict)
        var theirs = other.open(instance: "zzzzzz", boot: 9)
        for index in 1...50 { theirs.append(draft(1000 + index), now: other.now) }
        theirs.close(now: other.now)
        var outbox = scene.open(boot: 1)
        for index in 1...20 { outbox.append(draft(index), now: scene.now) }
        try copyFiles(from: other.directory.path, to: scene.directory.path)
        outbox.append(draft(21), now: scene.now)
        scene.now = scene.now + .seconds(60)
        outbox.deadlinePassed(now: scene.now)
        outbox.close(now: scene.now)
        #expect(files.fileExists(atPath: scene.database + ".damaged"))
        var second = scene.open(boot: 2)
        #expect(second.takeAll().map(\.report.draft) == (1...21).map { draft($0) })
    }

    @Test("M10: a full disk drops no waiting report as long as memory holds the new ones")
    func m10FullDisk() throws {
        var scene = try OutboxScene(.normal)
        scene.settings.memoryCapacity = 1000
        var outbox = scene.open(boot: 1)
        for index in 1...2000 { outbox.append(draft(index), now: scene.now) }
        outbox.linkLost(now: scene.now)
        try outbox.store!.limitPages(to: 1)
        for index in 2001...2900 { outbox.append(draft(index), now: scene.now) }
        outbox.linkLost(now: scene.now)
        #expect(scene.notices.codes == ["outboxDiskFull"])
        #expect(outbox.waitingCount == 2900)
        #expect(outbox.take(0..<UInt64.max)?.report.draft == draft(1), "what is stored can still be read")
        outbox.giveBack(0..<UInt64.max)
        for index in 2901...4000 { outbox.append(draft(index), now: scene.now) }
        #expect(outbox.takeAll().last?.report.draft == draft(4000), "live goes on")
        outbox.giveBack(0..<UInt64.max)
        #expect(outbox.waitingCount + Int(outbox.droppedCount) == 4000)
        #expect(outbox.waitingCount >= 2990)
        #expect(scene.notices.codes == ["outboxDiskFull"])

        try outbox.store!.limitPages(to: 100_000)
        scene.now = scene.now + .seconds(60)
        outbox.deadlinePassed(now: scene.now)
        #expect(scene.notices.codes == ["outboxDiskFull", "outboxRecovered"])
        let waiting = outbox.waitingCount
        outbox.close(now: scene.now)
        var second = scene.open(boot: 2)
        #expect(second.waitingCount == waiting)
        #expect(second.takeAll().count == waiting)
        #expect(second.droppedCount == 0)
    }

    @Test("M10: on a disk that stays full history makes room, then the oldest") func m10DiskStaysFull() throws {
        var scene = try OutboxScene(.normal)
        scene.settings.memoryCapacity = 300
        var outbox = scene.open(boot: 1)
        for index in 1...2000 { outbox.append(draft(index), now: scene.now) }
        for _ in 1...1000 { _ = outbox.take(0..<UInt64.max) }
        outbox.retire(0..<UInt64.max)
        outbox.linkLost(now: scene.now)
        try outbox.store!.limitPages(to: 1)
        for index in 2001...6000 {
            outbox.append(draft(index), now: scene.now)
            scene.now = scene.now + .seconds(1)
            if let deadline = outbox.nextDeadline, deadline <= scene.now { outbox.deadlinePassed(now: scene.now) }
        }
        outbox.close(now: scene.now)
        #expect(Set(scene.notices.codes).isSubset(of: ["outboxDiskFull", "outboxRecovered"]))
        #expect(scene.notices.codes.filter { $0 == "outboxDiskFull" }.count <= 2, "once an hour")
        var second = scene.open(boot: 2)
        let left = second.takeAll().map { $0.report.identity.sequence }
        #expect(left.contains { $0 > 5500 }, "the newest are kept")
        #expect(UInt64(left.count) + outbox.droppedCount == 5000)
    }

    @Test("A newer version's store is put aside, and what is understood of it is kept") func newerVersion() throws {
        let scene = try OutboxScene(.strict)
        var outbox = scene.open(boot: 1)
        for index in 1...40 { outbox.append(draft(index), now: scene.now) }
        outbox.close(now: scene.now)
        let database = try Database(path: scene.database)
        try database.execute("PRAGMA user_version = 99; ALTER TABLE chunk RENAME TO pieces")
        database.close()
        var second = scene.open(boot: 2)
        #expect(scene.notices.codes == ["outboxNewerVersion"])
        #expect(second.takeAll().map(\.report.draft) == (1...40).map { draft($0) })
        #expect(files.fileExists(atPath: scene.database + ".damaged"))
    }

    @Test("Steps bring an older store up to date, each whole or not at all") func olderVersion() throws {
        let scene = try OutboxScene(.strict)
        let steps = [
            "CREATE TABLE a(x);", "INSERT INTO a VALUES(1);", "CREATE TABLE b(y); INSERT INTO b SELECT x + 1 FROM a;",
        ]
        for count in 1...3 {
            let database = try Database(path: scene.database)
            #expect(try Schema.migrate(database, steps: Array(steps.prefix(count))) == .current)
            database.close()
        }
        let database = try Database(path: scene.database)
        #expect(try database.prepare("SELECT y FROM b").first { $0.number(0) } == 2)
        #expect(try Schema.migrate(database, steps: Array(steps.prefix(2))) == .newer)
        #expect(throws: StoreError.self) {
            try Schema.migrate(database, steps: steps + ["INSERT INTO a VALUES(9); nonsense;"])
        }
        #expect(try database.prepare("SELECT count(*) FROM a WHERE x = 9").first { $0.number(0) } == 0)
        database.close()
    }

    @Test("An empty database, as a crash right after the start leaves it, is used") func emptyDatabase() throws {
        let scene = try OutboxScene(.strict)
        try Data().write(to: URL(fileURLWithPath: scene.database))
        var outbox = scene.open()
        outbox.append(draft(1), now: scene.now)
        #expect(scene.notices.all.isEmpty)
        #expect(outbox.currentCounters().isStored)
    }

    @Test("A repair that was cut short is done again, or ended") func interruptedRepair() throws {
        let scene = try OutboxScene(.strict)
        var outbox = scene.open(boot: 1)
        for index in 1...10 { outbox.append(draft(index), now: scene.now) }
        outbox.close(now: scene.now)
        // Before the old one was put aside, the new one may be half made.
        try Data("half".utf8).write(to: URL(fileURLWithPath: scene.database + ".new"))
        var second = scene.open(boot: 2)
        #expect(second.takeAll().count == 10)
        second.close(now: scene.now)
        #expect(!files.fileExists(atPath: scene.database + ".new"))
        // After, it is whole.
        try files.moveItem(atPath: scene.database, toPath: scene.database + ".new")
        try Data("of the old one".utf8).write(to: URL(fileURLWithPath: scene.log))
        var third = scene.open(boot: 3)
        #expect(third.waitingCount == 10)
        #expect(third.takeAll().count == 10)
        #expect(scene.notices.all.isEmpty)
    }
}
