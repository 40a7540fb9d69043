import Delivery
import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import Outbox

/// M10: whatever happened to the files, the outbox starts, works on, and delivers each record that is whole.
@Suite struct DamageTests {
    /// A state directory of one boot, as a power cut leaves it.
    private struct Fixture {
        let scene: OutboxScene
        let database: [UInt8]
        let log: [UInt8]
        let total: UInt64
        let retired: UInt64

        /// `reports` of 1 Hz of which the first `retired` were acknowledged.
        init(_ reports: Int, retired: Int = 0, isClosed: Bool) throws {
            var scene = try OutboxScene(.strict)
            var outbox = scene.open(boot: 1)
            // Some acknowledged, in one run, and the others one by one.
            for index in 1...reports {
                outbox.append(draft(index), now: scene.now)
                scene.now = scene.now + .seconds(1)
                if index == retired {
                    _ = outbox.takeAll()
                    outbox.retire(0..<UInt64.max)
                }
            }
            if isClosed { outbox.close(now: scene.now) }
            self.scene = scene
            database = try Fixture.bytes(scene.database)
            log = (try? Fixture.bytes(scene.log)) ?? []
            total = UInt64(reports)
            self.retired = UInt64(retired)
        }

        private static func bytes(_ path: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        }

        /// The sequences whose records are whole in some bytes; each found by its bytes alone.
        func whole(in files: [UInt8]...) -> Set<UInt64> {
            var result: Set<UInt64> = []
            for bytes in files {
                var next = 0
                while let offset = bytes.firstOffset(of: StoredRecord.magic[0], in: next..<bytes.count) {
                    next = offset + 1
                    guard let found = StoredRecord.find(in: bytes.span, at: offset) else { continue }
                    let record = Array(bytes[offset..<offset + found.length])
                    guard let (_, reports) = Piece.decode(record) else { continue }
                    result.formUnion(reports.map(\.identity.sequence))
                }
            }
            return result
        }

        /// Starts on damaged files, and checks what must always hold.
        func check(
            database: [UInt8]? = nil, log: [UInt8]? = nil, _ comment: String,
            location: SourceLocation = #_sourceLocation
        ) throws {
            let (database, log) = (database ?? self.database, log ?? self.log)
            let directory = try TemporaryDirectory()
            try Data(database).write(to: directory.file("outbox.db"))
            if !log.isEmpty { try Data(log).write(to: directory.file("outbox.db-wal")) }
            var settings = scene.settings
            settings.directory = directory.path
            let notices = NoticeList()
            func open(_ boot: UInt64) -> Outbox {
                Outbox(settings: settings, instance: "k3f9a2", boot: boot, now: scene.now, utc: nil) { notices.add($0) }
            }
            var outbox = open(2)
            let new = outbox.append(draft(100_000), now: scene.now)
            #expect(new.report.identity == ReportIdentity(instance: "k3f9a2", boot: 2, sequence: 1))
            let taken = outbox.takeAll()
            var delivered: Set<UInt64> = []
            var last: UInt64 = 0
            for queued in taken.dropLast() {
                let sequence = queued.report.identity.sequence
                guard queued.report.identity.boot == 1, sequence > last, queued.report.draft == draft(Int(sequence))
                else {
                    Issue.record("\(comment): \(queued.report.identity) after \(last)", sourceLocation: location)
                    return
                }
                last = sequence
                delivered.insert(sequence)
            }
            #expect(taken.last == new, "\(comment): live goes on", sourceLocation: location)
            let owed = whole(in: database, log).filter { $0 > retired }
            let missing = owed.subtracting(delivered).sorted()
            #expect(missing.isEmpty, "\(comment): whole, not delivered", sourceLocation: location)
            // What lies between delivered ones is known to be lost.
            let gaps = last == 0 ? 0 : last - (delivered.min() ?? 0) + 1 - UInt64(delivered.count)
            #expect(
                outbox.droppedCount >= gaps && outbox.droppedCount + UInt64(delivered.count) <= total,
                "\(comment): \(outbox.droppedCount) counted, \(gaps) missing", sourceLocation: location)
            #expect(notices.all.count <= 1, "\(comment): \(notices.all)", sourceLocation: location)
            #expect(
                notices.codes.allSatisfy { $0 == "outboxSalvaged" || $0 == "outboxNewerVersion" },
                "\(comment): \(notices.all)", sourceLocation: location)
            outbox.giveBack(0..<UInt64.max)
            outbox.close(now: scene.now)
            // And all that is on disk again.
            var next = open(3)
            #expect(next.takeAll() == taken, "\(comment): after another start", sourceLocation: location)
            #expect(notices.all.count <= 1, "\(comment): \(notices.all)", sourceLocation: location)
        }
    }

    @Test("M10: a database that ends at any byte") func m10TruncatedDatabase() throws {
        let fixture = try Fixture(6, isClosed: true)
        #expect(fixture.database.count < 40_000)
        // Every byte of what is stored, and the ends of the pages.
        for length in 0...fixture.database.count {
            let isStored = length == 0 || fixture.database[length - 1] != 0
            guard isStored || length % 4096 < 2 || length % 4096 == 4095 else { continue }
            try fixture.check(database: Array(fixture.database.prefix(length)), "cut at \(length)")
        }
    }

    @Test("M10: a log that ends at any byte") func m10TruncatedLog() throws {
        let fixture = try Fixture(4, isClosed: false)
        #expect(fixture.log.count > 4096)
        for length in 0...fixture.log.count {
            let isStored = length == 0 || fixture.log[length - 1] != 0
            guard isStored || length % 4120 < 34 else { continue }
            try fixture.check(log: Array(fixture.log.prefix(length)), "cut at \(length)")
        }
    }

    @Test("M10: each page zeroed", arguments: [0, 400]) func m10ZeroedPages(retired: Int) throws {
        let fixture = try Fixture(900, retired: retired, isClosed: true)
        for page in 0..<fixture.database.count / 4096 {
            var database = fixture.database
            for index in page * 4096..<(page + 1) * 4096 { database[index] = 0 }
            try fixture.check(database: database, "page \(page + 1)")
        }
    }

    @Test("M10: a flipped bit anywhere", arguments: [0, 400]) func m10FlippedBits(retired: Int) throws {
        let fixture = try Fixture(900, retired: retired, isClosed: true)
        var generator = SeededGenerator(seed: UInt64(retired) + 5)
        for round in 0..<100 {
            var database = fixture.database
            // Half of them where they hurt the most: in the heads of pages.
            let page = Int.random(in: 0..<database.count / 4096, using: &generator)
            let within = Int.random(in: 0..<(round.isMultiple(of: 2) ? 4096 : 120), using: &generator)
            let bit = Int.random(in: 0..<8, using: &generator)
            database[page * 4096 + within] ^= 1 << bit
            try fixture.check(database: database, "page \(page + 1), byte \(within), bit \(bit)")
        }
    }

    @Test("M10: a flipped bit in the head of the database") func m10FlippedHead() throws {
        let fixture = try Fixture(20, isClosed: true)
        for bit in 0..<800 {
            var database = fixture.database
            database[bit / 8] ^= 1 << (bit % 8)
            try fixture.check(database: database, "bit \(bit)")
        }
    }

    @Test("M10: a flipped bit in the log") func m10FlippedLog() throws {
        let fixture = try Fixture(60, isClosed: false)
        var generator = SeededGenerator(seed: 17)
        for _ in 0..<100 {
            var log = fixture.log
            let place = Int.random(in: 0..<log.count, using: &generator)
            let bit = Int.random(in: 0..<8, using: &generator)
            log[place] ^= 1 << bit
            try fixture.check(log: log, "byte \(place), bit \(bit)")
        }
    }

    @Test("M10: the log without its database, the database without its log, and nothing at all")
    func m10MissingFiles() throws {
        let fixture = try Fixture(60, isClosed: false)
        try fixture.check(database: [], "no database")
        try fixture.check(log: [], "no log")
        try fixture.check(database: [], log: [], "nothing")
        try fixture.check(database: Array("not a database\n".utf8), "other content")
        try fixture.check(database: Array(repeating: 0, count: 65_536), "zeros")
    }
}
