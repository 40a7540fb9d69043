import Delivery
import FixcastTestKit
import Foundation
import Outbox
import Positioning
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The outbox of a process that is killed, and on a disk that is really full.
@Suite(.serialized) struct OutboxProcessTests {
    private let now = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    private func open(_ directory: String, boot: UInt64, _ durability: OutboxSettings.Durability = .normal) -> Outbox {
        var settings = OutboxSettings(directory: directory)
        settings.durability = durability
        return Outbox(settings: settings, instance: "bench1", boot: boot, now: now, utc: nil) { notice in
            Issue.record("\(notice)")
        }
    }

    @Test("M10: killed at any moment, a strict outbox has every report that it said it had")
    func m10Killed() async throws {
        let directory = try TemporaryDirectory()
        let state = directory.path + "/state"
        var generator = SeededGenerator(seed: 7)
        var said: [UInt64] = []
        for boot in 1...20 {
            let child = try ChildProcess(
                BuiltProduct.path("fixcast-bench"),
                ["outbox", "--part", "strict", "--directory", state, "--reports", String(boot)], directory: directory)
            let least = Int.random(in: 1...400, using: &generator)
            #expect(await eventually { child.standardOutput.split(separator: "\n").count >= least })
            child.kill()
            #expect(child.standardError.isEmpty)
            // The last line may be cut.
            let lines = child.standardOutput.components(separatedBy: "\n").dropLast()
            said.append(lines.last.flatMap { UInt64($0) } ?? 0)
            var outbox = open(state, boot: 1000)
            let held = outbox.held(instance: "bench1", boot: UInt64(boot), sequences: 1...UInt64.max >> 2)
            #expect(held.count == said[boot - 1] || held.count == said[boot - 1] + 1, "boot \(boot)")
        }
        var outbox = open(state, boot: 1000)
        var counts: [UInt64: UInt64] = [:]
        while let queued = outbox.take(0..<UInt64.max) {
            let identity = queued.report.identity
            #expect(identity.sequence == (counts[identity.boot] ?? 0) + 1, "\(identity)")
            counts[identity.boot] = identity.sequence
        }
        #expect(counts.count == 20)
        for (index, last) in said.enumerated() { #expect(counts[UInt64(index + 1)] ?? 0 >= last) }
        #expect(outbox.droppedCount == 0)
    }

    @Test(
        "M10: a disk of 1 MiB that is full: live goes on, the oldest is dropped and counted, one warning",
        .enabled(if: SmallDisk.isPossible, "only root can mount a small file system"))
    func m10FullDisk() throws {
        let disk = try SmallDisk()
        var settings = OutboxSettings(directory: disk.path)
        settings.memoryCapacity = 600
        var notices: [String] = []
        var now = now
        var outbox = Outbox(settings: settings, instance: "bench1", boot: 1, now: now, utc: nil) {
            notices.append($0.code)
        }
        var location = Location(coordinate: Coordinate(latitude: 50, longitude: 8), horizontalAccuracy: 3)
        var generator = SeededGenerator(seed: 3)
        for index in 1...40_000 {
            location.coordinate.latitude = Double.random(in: -80...80, using: &generator)
            location.passedValues = PassedValues(json: Array("{\"n\":\(generator.next())}".utf8))
            let queued = outbox.append(ReportDraft(location: location), now: now)
            #expect(queued.report.identity.sequence == UInt64(index))
            now = now + .milliseconds(50)
            if let deadline = outbox.nextDeadline, deadline <= now { outbox.deadlinePassed(now: now) }
        }
        // 33 minutes.
        #expect(notices.filter { $0 == "outboxDiskFull" }.count == 1, "\(notices)")
        #expect(notices.allSatisfy { $0 == "outboxDiskFull" || $0 == "outboxRecovered" }, "\(notices)")
        #expect(outbox.droppedCount > 0)
        #expect(outbox.waitingCount + Int(outbox.droppedCount) == 40_000)
        #expect(outbox.read(outbox.endNumber - 1..<outbox.endNumber)?.report.identity.sequence == 40_000)
        let (waiting, dropped) = (outbox.waitingCount, outbox.droppedCount)
        outbox.close(now: now)
        let lostAtStop = outbox.droppedCount - dropped
        var second = Outbox(settings: settings, instance: "bench1", boot: 2, now: now, utc: nil) { notice in
            Issue.record("\(notice)")
        }
        var taken = 0
        while second.take(0..<UInt64.max) != nil { taken += 1 }
        #expect(second.droppedCount == 0)
        #expect(taken > 1000)
        // What was in memory when the agent ended on a full disk is lost.
        #expect(taken + Int(lostAtStop) >= waiting - settings.memoryCapacity)
    }
}

/// A file system of 1 MiB in memory, unmounted with the object.
private final class SmallDisk {
    let directory: TemporaryDirectory
    var path: String { directory.path }

    static var isPossible: Bool { (try? SmallDisk()) != nil }

    init() throws {
        directory = try TemporaryDirectory()
        #if canImport(Glibc)
        if unsafe mount("tmpfs", directory.path, "tmpfs", 0, "size=1m,mode=700") == 0 { return }
        #endif
        throw CocoaError(.fileWriteVolumeReadOnly)
    }

    deinit {
        #if canImport(Glibc)
        _ = unsafe umount2(directory.path, Int32(MNT_DETACH))
        #endif
    }
}
