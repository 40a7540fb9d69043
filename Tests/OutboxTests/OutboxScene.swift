import Delivery
import FixcastTestKit
import Foundation
import Positioning

@testable import Outbox

/// An outbox in a directory of its own, on a clock that the test moves.
struct OutboxScene {
    let directory: TemporaryDirectory
    var settings: OutboxSettings
    var now = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    let notices = NoticeList()

    init(_ durability: OutboxSettings.Durability = .strict) throws {
        directory = try TemporaryDirectory()
        settings = OutboxSettings(directory: directory.path)
        settings.durability = durability
    }

    func open(
        instance: String = "k3f9a2", boot: UInt64 = 1, utc: UTCInstant? = UTCInstant(milliseconds: 1_764_500_000_000)
    ) -> Outbox {
        Outbox(settings: settings, instance: instance, boot: boot, now: now, utc: utc) { [notices] in notices.add($0) }
    }

    var database: String { directory.path + "/outbox.db" }
    var log: String { database + "-wal" }
}

/// What an outbox told.
final class NoticeList {
    private(set) var all: [OutboxNotice] = []
    var codes: [String] { all.map(\.code) }
    func add(_ notice: OutboxNotice) { all.append(notice) }
}

/// A report as a 1 Hz drive makes it; `index` is in its position, so that it is told from others.
func draft(_ index: Int) -> ReportDraft {
    var location = Location(
        coordinate: Coordinate(latitude: 50 + Double(index) * 1e-5, longitude: 8 + Double(index) * 1e-5),
        horizontalAccuracy: 3.2, timestamp: UTCInstant(milliseconds: 1_764_500_000_000 + Int64(index) * 1000))
    location.speed = 13.25 + Double(index % 7)
    location.course = Double(index % 360)
    location.fix = .threeD
    location.source = "gpsd"
    var draft = ReportDraft(location: location, motion: .moving, trigger: .interval, due: 75)
    draft.roundToWireResolution()
    return draft
}

extension ReportQueue {
    /// Takes everything that waits.
    mutating func takeAll() -> [QueuedReport] {
        var all: [QueuedReport] = []
        while let queued = take(0..<UInt64.max) { all.append(queued) }
        return all
    }
}

extension [QueuedReport] {
    var sequences: [UInt64] { map(\.report.identity.sequence) }
}

extension OutboxScene {
    /// The files as a power cut would leave them now, in a directory of their own.
    func copy() throws -> OutboxScene {
        var other = try OutboxScene(settings.durability)
        other.now = now
        try copyFiles(from: directory.path, to: other.directory.path)
        return other
    }
}

/// Copies database and log, in place of what is there.
func copyFiles(from source: String, to target: String) throws {
    for name in ["outbox.db", "outbox.db-wal"] {
        try? FileManager.default.removeItem(atPath: target + "/" + name)
        if FileManager.default.fileExists(atPath: source + "/" + name) {
            try FileManager.default.copyItem(atPath: source + "/" + name, toPath: target + "/" + name)
        }
    }
}
