internal import Configuration
internal import Delivery
internal import Outbox
internal import Positioning

/// The keys of what becomes of a report until it is delivered: `outbox` and `mqtt.backlog`.
enum OutboxKeys {
    static let directory = ConfigurationKey(
        "outbox.directory", .path, default: "/var/lib/fixcast",
        "What survives a restart: who this agent is, and its reports.")
    static let maximumSize = ConfigurationKey(
        "outbox.max-size", .size(in: OutboxSettings.smallestSize...(1 << 40)), default: "64MB",
        "How large the outbox may become: unsent reports and history.")
    static let maximumAge = ConfigurationKey(
        "outbox.max-age", .duration(in: .seconds(60) ... .seconds(315_360_000)), default: "30d",
        "Unsent reports older than this are dropped.")
    static let history = ConfigurationKey(
        "outbox.history", .duration(in: .zero ... .seconds(315_360_000)), default: "7d",
        "How long acknowledged reports are kept for subscribers that missed them, within max-size.")
    static let whenFull = ConfigurationKey(
        "outbox.when-full", .choice(of: OutboxSettings.WhenFull.self), default: "drop-oldest",
        "Which unsent reports are dropped when there is no history left to give up.")
    static let durability = ConfigurationKey(
        "outbox.durability", .choice(of: OutboxSettings.Durability.self), default: "normal",
        "strict: on disk before it is sent; normal: within 2 s of being unacknowledged; none: in memory only.")

    static let liveEncoding = ConfigurationKey(
        "mqtt.encoding", .choice(of: ReportEncoding.self), default: "json",
        "The form of the newest position on <root>/location: json, or compact (fleet.proto).")
    static let encoding = ConfigurationKey(
        "mqtt.backlog.encoding", .choice(of: ReportEncoding.self), default: "compact",
        "The form of reports on <root>/track.")
    static let reportRate = ConfigurationKey(
        "mqtt.backlog.reports", .rate(), default: "20/s",
        "The pace of reports that had to wait for a connection. 0/s: as fast as they go.")
    static let byteRate = ConfigurationKey(
        "mqtt.backlog.bytes", .dataRate(), default: "8kB/s", "Their pace in bytes. 0kB/s: as fast as they go.")
    static let batch = ConfigurationKey(
        "mqtt.backlog.batch", .integer(in: 1...10_000), default: "100",
        "Reports in one message on <root>/track at the most.")
    static let startJitter = ConfigurationKey(
        "mqtt.backlog.start-jitter", .duration(in: .zero ... .seconds(86_400)), default: "60s",
        "A backlog of more than one batch begins by a random time up to this late, so that a fleet that comes back "
            + "together does not flood the broker.")

    static let all: [any DeclaredKey] = [
        liveEncoding, encoding, reportRate, byteRate, batch, startJitter, directory, maximumSize, maximumAge, history,
        whenFull, durability,
    ]
}

/// The form of reports on the wire.
enum ReportEncoding: String, Sendable, CaseIterable { case json, compact }

extension OutboxSettings {
    init(_ reader: inout ConfigurationReader) {
        self.init(directory: reader.value(OutboxKeys.directory))
        maximumSize = reader.value(OutboxKeys.maximumSize)
        maximumAge = reader.value(OutboxKeys.maximumAge)
        history = reader.value(OutboxKeys.history)
        whenFull = reader.value(OutboxKeys.whenFull)
        durability = reader.value(OutboxKeys.durability)
    }
}

extension DeliverySettings {
    init(_ reader: inout ConfigurationReader) {
        self.init()
        let reports = reader.value(OutboxKeys.reportRate)
        let bytes = reader.value(OutboxKeys.byteRate)
        reportsPerSecond = reports > 0 ? reports : nil
        bytesPerSecond = bytes > 0 ? bytes : nil
        batch = reader.value(OutboxKeys.batch)
        startJitter = reader.value(OutboxKeys.startJitter)
    }
}
