internal import Positioning

/// Reads gpsd's JSON lines of a log: pure. An epoch's reports become one position, as complete as all of them made it;
/// of several devices one is followed, as with a daemon, by the log's own clock.
struct GPSDLogParser: Sendable {
    private var translator: GPSDTranslator
    private var choice = GPSDDeviceChoice(settings: GPSDSettings())
    /// The position of the open epoch.
    private var held: Location?
    /// The latest time that a report told.
    private var latest: UTCInstant?

    init(accuracy: GPSDAccuracy) { translator = GPSDTranslator(accuracy: accuracy) }

    mutating func read(_ bytes: Span<UInt8>, _ line: Range<Int>, into records: inout [LogRecord]) {
        // Another logger may have put its time in front.
        guard let start = line.first(where: { bytes[$0] == UInt8(ascii: "{") }),
            let message = try? GPSDMessage.read(bytes.extracting(start..<line.upperBound))
        else { return }
        switch message {
        case .tpv(let tpv): read(tpv, into: &records)
        case .sky(let sky): translator.note(sky)
        case .version, .devices, .device, .poll, .error, .other: break
        }
    }

    mutating func finish(into records: inout [LogRecord]) {
        if let held { records.append(.fix(held)) }
        held = nil
    }

    private mutating func read(_ tpv: GPSDMessage.TPV, into records: inout [LogRecord]) {
        let outcome = translator.read(tpv)
        if let time = tpv.time { latest = max(latest ?? time, time) }
        let now = MonotonicInstant(nanoseconds: 0) + .milliseconds(latest?.milliseconds ?? 0)
        switch outcome {
        case .nothing: return
        case .noFix(let time):
            guard choice.judge(tpv.device, hasFix: false, now: now) != .ignore else { return }
            finish(into: &records)
            records.append(.noFix(time))
        case .fix(let location):
            guard choice.judge(tpv.device, hasFix: true, now: now) != .ignore else { return }
            finish(into: &records)
            held = location
        case .refined(let location):
            guard choice.judge(tpv.device, hasFix: true, now: now) != .ignore else { return }
            held = location
        case .repeated: _ = choice.judge(tpv.device, hasFix: true, now: now)
        }
    }
}
