internal import FleetWire
public import Positioning
public import Reporting

/// What an agent with a policy would make of a recorded drive, and what a subscriber would know meanwhile: the agent's
/// own machine, and a receiver's predictor made of the very bytes that would be sent. Pure: the drive's own time passes,
/// and a message takes none.
public struct DriveEvaluation {
    /// What became of a fix, or of one that was held.
    public enum Step {
        /// A report was made; `bytes` with the framing of MQTT.
        case sent(Report, bytes: Int)
        /// The fix is plausible and was not worth sending.
        case held(Location)
        case rejected(Location, Rejection)
    }

    /// Bytes of topic, packet header and packet identifier around a payload: a topic of 25 characters, QoS 1.
    public static let framing = 32

    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    public private(set) var outcome = DriveOutcome()
    /// What the subscriber predicts by; `nil` before the first report with a place.
    public private(set) var receiver: Predictor?
    private var machine: ReportingMachine
    /// Added to the drive's times: no agent runs before its release, and dates before it are refused; and what is dated
    /// follows what was not. `nil` before the first dated fix.
    private var shift: Duration?
    private var began: UTCInstant?
    private var latest: UTCInstant?
    private var sequence: UInt64 = 0
    private var payload: [UInt8] = []

    public init(policy: ReportingPolicy) { machine = ReportingMachine(policy: policy, start: Self.start) }

    /// What was counted by rule and reason.
    public var counters: ReportingCounters { machine.counters }

    /// Takes the next fix; tells what became of it, and before it of what was due meanwhile.
    public mutating func receive(_ recorded: Location, _ body: (Step) -> Void) {
        let time = paced(recorded.timestamp)
        var fix = recorded
        if fix.timestamp != nil { fix.timestamp = time }
        if began == nil { began = time }
        latest = max(latest ?? time, time)
        let now = now
        passTime(to: now, body)
        // A fix that is dated before the others is told its age by the drive's own clock.
        let utc = latest
        let error = error(of: fix, at: time)
        switch machine.receive(fix, now: now, utc: utc) {
        case .send(let draft):
            if let error { outcome.errors.append(error) }
            send(draft, body)
        case .hold:
            if let error { outcome.errors.append(error) }
            body(.held(recorded))
        case .reject(let rejection):
            outcome.rejected += 1
            body(.rejected(recorded, rejection))
        }
        if let began, let latest { outcome.hours = Double(latest.milliseconds - began.milliseconds) / 3_600_000 }
    }

    /// The drive is over: what is held is sent.
    public mutating func finish(_ body: (Step) -> Void) {
        if let draft = machine.draftForEnd(now: now) { send(draft, body) }
    }

    /// When the agent gets a fix of this time of the drive: undated ones, such as a planned route's, a second apart, as a
    /// replay paces them.
    private mutating func paced(_ recorded: UTCInstant?) -> UTCInstant {
        let next = latest.map { $0 + .seconds(1) }
        guard let recorded else { return next ?? ClockTrust.floor }
        let shift = shift ?? next.map { $0 - recorded } ?? max(.zero, ClockTrust.floor - recorded)
        self.shift = shift
        return recorded + shift
    }

    private var now: MonotonicInstant {
        guard let began, let latest else { return Self.start }
        return Self.start + (latest - began)
    }

    private mutating func passTime(to now: MonotonicInstant, _ body: (Step) -> Void) {
        while let deadline = machine.nextDeadline, deadline < now {
            let utc = began.map { $0 + (deadline - Self.start) }
            guard let draft = machine.deadlinePassed(now: deadline, utc: utc) else { return }
            send(draft, body)
        }
    }

    private func error(of fix: Location, at time: UTCInstant) -> Double? {
        guard let receiver, fix.coordinate.isCorrect else { return nil }
        return Geodesy.distance(receiver.position(at: time), fix.coordinate)
    }

    private mutating func send(_ draft: ReportDraft, _ body: (Step) -> Void) {
        sequence += 1
        let report = Report(
            identity: ReportIdentity(instance: "abc123", boot: 1, sequence: sequence), draft: draft)
        payload.removeAll(keepingCapacity: true)
        ReportJSON.encode(report, into: &payload)
        outcome.messages += 1
        outcome.bytes += payload.count + Self.framing
        if let decoded = try? ReportJSON.decode(payload), let next = Predictor(decoded.draft) { receiver = next }
        var told = report
        told.draft.location.timestamp = report.location.timestamp.map { $0 + (.zero - (shift ?? .zero)) }
        body(.sent(told, bytes: payload.count + Self.framing))
    }
}
