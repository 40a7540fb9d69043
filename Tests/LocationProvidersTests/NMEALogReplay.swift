import Positioning

@testable import LocationProviders

/// Reads a log with a clock that goes by the log's own times.
struct NMEALogReplay {
    private(set) var locations: [Location] = []

    init(_ log: [UInt8]) {
        var reader = NMEAEpochReader(uere: 5, dates: .asRecorded)
        // Milliseconds.
        var clock: Int64 = 0
        var burst: Int64 = 0
        var time: Int32?
        var found: [Location] = []
        func take(_ epoch: NMEAEpoch) { if let location = epoch.location { found.append(location) } }
        var parser = NMEAParser()
        lines(log) { span, line in
            clock += 10
            parser.read(span, line) { sentence, _ in
                guard let next = sentence.clock, next != time else { return }
                let step = Int64(next - (time ?? next))
                time = next
                if step > 0, step <= 10_000 { burst += step }
                clock = max(clock, burst)
                burst = clock
            }
            let now = MonotonicInstant(nanoseconds: clock * 1_000_000)
            if let deadline = reader.deadline, deadline < now,
                let epoch = reader.deadlinePassed(now: deadline, utc: nil)
            {
                take(epoch)
            }
            reader.read(span, line, now: now, utc: nil, take)
        }
        if let epoch = reader.finish(utc: nil) { take(epoch) }
        locations = found
    }
}

extension NMEASentence {
    /// The time of day of a position.
    fileprivate var clock: Int32? {
        switch self {
        case .rmc(let rmc): rmc.time
        case .gga(let gga): gga.time
        case .gns(let gns): gns.time
        case .gll(let gll): gll.time
        default: nil
        }
    }
}
