public import FleetWire
public import Positioning

/// What a history has of one vehicle's reports, made from its messages: a pure machine.
///
/// A report's identity decides: each is new once, whatever the lane and the order (WIRE.md, Identity). What is missing
/// shows by the sequences received and by the `last` and `prev` that the vehicle says; it is asked for by `resend`, one
/// request at a time, oldest boot first, while the vehicle's agent can be reached.
///
/// It remembers ``bootLimit`` boots; reports of a boot that it has forgotten are refused, so none is delivered twice.
public struct HistoryMachine: Sendable {
    /// What became of a report.
    public enum Receipt: Equatable, Sendable {
        /// The newest of its boot.
        case new
        /// Made before others of its boot that were received.
        case late
        case duplicate
        /// Of a boot before those that are remembered.
        case forgotten
    }

    private struct Speaker: Equatable, Sendable {
        var instance: String
        var boot: UInt64
        var connection: UInt64
    }

    struct Request: Equatable, Sendable {
        var id: VehicleID
        var instance: String
        var boot: UInt64
        var sequences: ClosedRange<UInt64>
        var deadline: MonotonicInstant
    }

    /// The boots remembered.
    public static let bootLimit = 64

    public let vehicle: VehicleID
    let settings: HistorySettings
    var boots: [BootHistory] = []
    /// The highest boot forgotten of an instance.
    private var watermarks: [(instance: String, boot: UInt64)] = []
    /// The instances that spoke, the current one last.
    private var speakers: [Speaker] = []
    private var isLinkUp = false
    private var isAgentReachable = false
    var requestNumber: UInt64
    var request: Request?
    var failures = 0
    var waitEnd: MonotonicInstant?

    /// - Parameters:
    ///   - vehicle: whose reports.
    ///   - settings: how to ask.
    ///   - firstRequest: the number of the first request, so that no reply to an earlier run's is taken for one of this.
    public init(vehicle: VehicleID, settings: HistorySettings, firstRequest: UInt64 = 1) {
        self.vehicle = vehicle
        self.settings = settings
        requestNumber = firstRequest
    }

    /// Whether somebody is there to be asked.
    var canAsk: Bool { settings.subscriber != nil && isLinkUp && isAgentReachable }

    /// The instance that can be asked.
    var currentInstance: String? { speakers.last?.instance }

    // MARK: The receiver's own link

    public mutating func linkUp(now: MonotonicInstant) { isLinkUp = true }

    /// A request under way is not waited for: its reply may be lost with the link.
    public mutating func linkDown(now: MonotonicInstant) {
        isLinkUp = false
        isAgentReachable = false
        request = nil
    }

    // MARK: What the vehicle says

    /// A report came, on any lane.
    public mutating func receive(_ identity: ReportIdentity, now: MonotonicInstant) -> Receipt {
        guard let index = boot(identity.instance, identity.boot, now) else { return .forgotten }
        let highest = boots[index].received.last ?? 0
        let wasPromised = boots[index].promised.contains(identity.sequence)
        guard boots[index].receive(identity.sequence) else { return .duplicate }
        if wasPromised {
            failures = 0
            boots[index].promiseEnd = now + settings.promiseTimeout
        }
        settle(index, restart: identity.sequence < highest, now)
        return identity.sequence < highest ? .late : .new
    }

    /// An availability message came; those older than what was heard are passed over, as are those of other vehicles.
    public mutating func receive(_ message: AvailabilityMessage, now: MonotonicInstant) {
        guard message.vehicle == vehicle else { return }
        if let last = message.last { hear(message.instance, message.boot, last, now) }
        if let previous = message.previous, previous.boot < message.boot {
            hear(message.instance, previous.boot, previous.last, now)
            if previous.isExact, let index = index(message.instance, previous.boot) { boots[index].isEndKnown = true }
        }
        if let offset = message.clockOffset, let index = boot(message.instance, message.boot, now) {
            boots[index].clockOffset = offset
        }
        guard note(message) else { return }
        let state = message.state
        if state.availability == .unavailable(.stopped), message.last != nil,
            let index = index(message.instance, message.boot)
        {
            boots[index].isEndKnown = true
        }
        let closed: [Availability] = [
            .unavailable(.stopped), .unavailable(.sleeping), .unavailable(.private), .unavailable(.linkLost),
        ]
        let wasReachable = isAgentReachable
        isAgentReachable = !message.isWill && !closed.contains(state.availability)
        if !isAgentReachable { request = nil }
        // An agent that came back may answer where it did not before.
        if isAgentReachable, !wasReachable { (failures, waitEnd) = (0, nil) }
    }

    /// A health message came.
    public mutating func receive(_ message: HealthMessage, now: MonotonicInstant) {
        guard message.vehicle == vehicle else { return }
        hear(message.instance, message.boot, message.last, now)
    }

    /// When a report was made: by its own time, or by its uptime where the vehicle has learned the time of that boot.
    public func time(of report: Report) -> UTCInstant? {
        if let time = report.location.timestamp { return time }
        guard let uptime = report.draft.uptime, uptime >= 0, uptime <= 1e9,
            let index = index(report.identity.instance, report.identity.boot)
        else { return nil }
        return boots[index].clockOffset.map { $0 + .seconds(uptime) }
    }

    // MARK: Inside

    func index(_ instance: String, _ boot: UInt64) -> Int? {
        boots.lastIndex { $0.boot == boot && $0.instance == instance }
    }

    private mutating func hear(_ instance: String, _ boot: UInt64, _ last: UInt64, _ now: MonotonicInstant) {
        guard let index = self.boot(instance, boot, now) else { return }
        boots[index].hear(last: last)
        settle(index, restart: false, now)
    }

    /// What is missing is asked for some time after it is seen; what fills a gap says that more may follow by itself.
    private mutating func settle(_ index: Int, restart: Bool, _ now: MonotonicInstant) {
        guard boots[index].hasUnasked else {
            boots[index].settled = nil
            return
        }
        if boots[index].settled == nil || restart { boots[index].settled = now + settings.settle }
    }

    /// The place of a boot, which is remembered from now on; `nil` for one that was forgotten.
    private mutating func boot(_ instance: String, _ boot: UInt64, _ now: MonotonicInstant) -> Int? {
        if let index = index(instance, boot) { return index }
        guard boot > 0 else { return nil }
        if let mark = watermarks.last(where: { $0.instance == instance }), boot <= mark.boot { return nil }
        if boots.count == Self.bootLimit { forgetOldest(of: instance) }
        // Within an instance by number, so that the oldest is asked for first.
        let place = boots.firstIndex { $0.instance == instance && $0.boot > boot } ?? boots.endIndex
        boots.insert(BootHistory(instance: instance, boot: boot), at: place)
        return place
    }

    private mutating func forgetOldest(of newcomer: String) {
        let old = boots.removeFirst()
        let highest = watermarks.first { $0.instance == old.instance }?.boot ?? 0
        watermarks.removeAll { $0.instance == old.instance }
        if watermarks.count == Self.bootLimit { watermarks.removeFirst() }
        watermarks.append((old.instance, max(highest, old.boot)))
    }

    /// Whether the message is the newest word of the current instance.
    private mutating func note(_ message: AvailabilityMessage) -> Bool {
        let heard = Speaker(instance: message.instance, boot: message.boot, connection: message.connection)
        guard let index = speakers.firstIndex(where: { $0.instance == message.instance }) else {
            guard speakers.isEmpty || !message.isWill else { return false }
            if speakers.count == Self.bootLimit { speakers.removeFirst() }
            speakers.append(heard)
            return true
        }
        let known = (speakers[index].boot, speakers[index].connection)
        let isCurrent = index == speakers.count - 1
        let isNewer = (message.boot, message.connection) > known
        // A displaced instance comes back by a birth of its own only.
        guard isNewer || isCurrent && (message.boot, message.connection) == known, isCurrent || !message.isWill else {
            return false
        }
        speakers.remove(at: index)
        speakers.append(heard)
        return true
    }
}
