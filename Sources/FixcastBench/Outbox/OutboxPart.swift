internal import Delivery
internal import FleetWire
internal import Outbox
internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// One measurement of the outbox in a process of its own; what it finds is printed as `name=number`.
enum OutboxPart: String, CaseIterable {
    /// Fills the outbox offline, as fast as it goes.
    case fill
    /// Offline at 1 Hz: what is unacknowledged is on disk within 2 s.
    case paced
    /// Opens it.
    case open
    /// Sends everything to a broker.
    case drain
    /// Bytes written to disk, offline at 1 Hz.
    case wearOffline = "wear-offline"
    /// Bytes written to disk at 1 Hz, each report acknowledged at once.
    case wearOnline = "wear-online"
    /// Appends strictly until it is killed; a line tells each report that is on disk.
    case strict

    struct Settings {
        var directory: String
        var reports: Int
        var port: UInt16
    }

    func run(_ settings: Settings) throws(BenchmarkError) -> [(name: String, value: Double)] {
        switch self {
        case .fill: try Self.fill(settings)
        case .paced: try Self.simulate(settings, acknowledges: false)
        case .open: try Self.open(settings)
        case .drain: try OutboxDrain(settings).run()
        case .wearOffline: try Self.simulate(settings, acknowledges: false)
        case .wearOnline: try Self.simulate(settings, acknowledges: true)
        case .strict: try Self.appendStrictly(settings)
        }
    }

    /// Opens the outbox; what it has to say is an error.
    static func outbox(
        _ settings: Settings, boot: UInt64, now: MonotonicInstant, _ durability: OutboxSettings.Durability = .normal
    ) throws(BenchmarkError) -> Outbox {
        var outboxSettings = OutboxSettings(directory: settings.directory)
        outboxSettings.durability = durability
        var notices: [OutboxNotice] = []
        let outbox = Outbox(
            settings: outboxSettings, instance: "bench1", boot: boot, now: now,
            utc: UTCInstant(milliseconds: 1_764_500_000_000)
        ) { notices.append($0) }
        if let notice = notices.first { throw BenchmarkError(notice.description) }
        return outbox
    }

    private static func fill(_ settings: Settings) throws(BenchmarkError) -> [(name: String, value: Double)] {
        var drive = BacklogDrive()
        let drafts = (0..<min(settings.reports, 10_000)).map { _ in drive.next() }
        var now = MonotonicInstant(nanoseconds: 0)
        var outbox = try outbox(settings, boot: 1, now: now)
        var cpu = 0.0
        var rest = settings.reports
        while rest > 0 {
            let part = drafts.prefix(rest)
            rest -= part.count
            let start = Clock.processorTime()
            for draft in part {
                outbox.append(draft, now: now)
                now = now + .microseconds(100)
            }
            cpu += Clock.processorTime() - start
        }
        let start = Clock.processorTime()
        outbox.close(now: now)
        cpu += Clock.processorTime() - start
        return [("cpu", cpu / Double(settings.reports) * 1e6)]
    }

    /// One report a second by a clock of its own, with the deadlines that the agent's loop keeps, and the disk's own pace.
    private static func simulate(
        _ settings: Settings, acknowledges: Bool
    ) throws(BenchmarkError) -> [(name: String, value: Double)] {
        var drive = BacklogDrive()
        let drafts = (0..<settings.reports).map { _ in drive.next() }
        var now = MonotonicInstant(nanoseconds: 0)
        var outbox = try outbox(settings, boot: 1, now: now)
        let written = writtenBytes()
        let kernel = systemTime()
        let start = Clock.processorTime()
        for draft in drafts {
            let queued = outbox.append(draft, now: now)
            if acknowledges {
                _ = outbox.take(queued.number..<queued.number + 1)
                outbox.retire(queued.number..<queued.number + 1)
            }
            let next = now + .seconds(1)
            while let deadline = outbox.nextDeadline, deadline < next {
                now = max(now, deadline)
                outbox.deadlinePassed(now: now)
            }
            now = next
        }
        outbox.close(now: now)
        let cpu = Clock.processorTime() - start
        let bytes = writtenBytes() - written
        return [
            ("cpu", cpu / Double(settings.reports) * 1e6),
            ("kernel", (systemTime() - kernel) / Double(settings.reports) * 1e6),
            ("bytes", Double(bytes) / Double(settings.reports)),
        ]
    }

    private static func open(_ settings: Settings) throws(BenchmarkError) -> [(name: String, value: Double)] {
        let start = Clock.now()
        let outbox = try outbox(settings, boot: 2, now: MonotonicInstant(nanoseconds: 0))
        let duration = Clock.now() - start
        guard outbox.waitingCount >= settings.reports else {
            throw BenchmarkError("only \(outbox.waitingCount) of \(settings.reports) reports wait")
        }
        return [("milliseconds", duration * 1000)]
    }

    private static func appendStrictly(_ settings: Settings) throws(BenchmarkError) -> [(name: String, value: Double)] {
        var drive = BacklogDrive()
        var now = MonotonicInstant(nanoseconds: 0)
        var outbox = try outbox(settings, boot: UInt64(settings.reports), now: now, .strict)
        while true {
            let queued = outbox.append(drive.next(), now: now)
            var line = "\(queued.report.identity.sequence)\n"
            line.withUTF8 { buffer in _ = unsafe write(1, buffer.baseAddress, buffer.count) }
            now = now + .seconds(1)
        }
    }

    /// Seconds that the kernel worked for this process.
    private static func systemTime() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        unsafe getrusage(RUSAGE_SELF, &usage)
        #endif
        return Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
    }

    /// What this process caused to be written to a disk.
    private static func writtenBytes() -> Int {
        for line in Files.text("/proc/self/io").split(separator: "\n") where line.hasPrefix("write_bytes:") {
            return Int(line.dropFirst(13)) ?? 0
        }
        return 0
    }

    /// The most memory that was resident, bytes.
    static func peakMemory() -> Int {
        for line in Files.text("/proc/self/status").split(separator: "\n") where line.hasPrefix("VmHWM:") {
            return (Int(line.filter(\.isWholeNumber)) ?? 0) * 1024
        }
        return 0
    }
}
