internal import Positioning

/// Reads the lines of a recording behind its first into records: pure. The bytes go through the reader that a live
/// source of their kind has, at the times at which they came: those set the pace and end NMEA's epochs.
struct RecordingParser: ~Copyable {
    private enum Stream: Sendable {
        case nmea(NMEAEpochReader)
        case gpsd(GPSDMachine)
        case command(uere: Double)
    }

    private let start: UTCInstant?
    private var stream: Stream
    private let common: CommonProviderSettings
    private let dates: NMEADateRule
    private var reader = RecordingReader()
    private var lines = LineSplitter(capacity: 131_072)

    init(_ header: RecordingReader.Header, common: CommonProviderSettings, dates: NMEADateRule) {
        start = header.utc
        self.common = common
        self.dates = dates
        stream =
            switch header.kind {
            case .nmea: .nmea(NMEAEpochReader(uere: common.uere, dates: dates))
            case .gpsd: .gpsd(GPSDMachine(settings: GPSDSettings(), common: common))
            case .command: .command(uere: common.uere)
            }
    }

    var damagedLines: UInt64 { reader.damagedLines }

    mutating func read(_ text: Span<UInt8>, _ line: Range<Int>, into records: inout [LogRecord]) {
        guard let news = reader.read(text, line) else { return }
        let now = MonotonicInstant(nanoseconds: reader.elapsed)
        passTime(until: now, into: &records)
        switch news {
        case .event(.connected):
            lines.reset()
            connect(now)
        case .event(.disconnected):
            endStream(now, into: &records)
            lines.reset()
            records.append(LogRecord(.lost, at: time(now)))
        case .data:
            connect(now)
            feed(now, into: &records)
        }
    }

    /// The recording is at its end, which the recorder chose: nothing was lost.
    mutating func finish(into records: inout [LogRecord]) {
        endStream(MonotonicInstant(nanoseconds: reader.elapsed), into: &records)
    }

    /// On the log's own clock.
    private func time(_ now: MonotonicInstant) -> UTCInstant {
        (start ?? UTCInstant(milliseconds: 0)) + .nanoseconds(now.nanoseconds)
    }

    /// The host's clock then, where it was trusted.
    private func utc(_ now: MonotonicInstant) -> UTCInstant? { start.map { $0 + .nanoseconds(now.nanoseconds) } }

    // MARK: The stream

    /// What the live source would have done by its timers.
    private mutating func passTime(until now: MonotonicInstant, into records: inout [LogRecord]) {
        switch stream {
        case .nmea(var epochs):
            if let deadline = epochs.deadline, deadline <= now,
                let epoch = epochs.deadlinePassed(now: deadline, utc: utc(deadline))
            {
                append(epoch, deadline, to: &records)
            }
            stream = .nmea(epochs)
        case .gpsd(var machine):
            while case .connected = machine.state, let deadline = machine.deadline, deadline <= now {
                append(machine.timerFired(now: deadline, random: 0), deadline, to: &records)
            }
            stream = .gpsd(machine)
        case .command: break
        }
    }

    private mutating func connect(_ now: MonotonicInstant) {
        guard case .gpsd(var machine) = stream else { return }
        if case .connected = machine.state { return }
        _ = machine.start()
        _ = machine.timerFired(now: now, random: 0)
        _ = machine.connected(now: now)
        stream = .gpsd(machine)
    }

    private mutating func endStream(_ now: MonotonicInstant, into records: inout [LogRecord]) {
        switch stream {
        case .nmea(var epochs):
            if let epoch = epochs.finish(utc: utc(now)) { append(epoch, now, to: &records) }
            stream = .nmea(NMEAEpochReader(uere: common.uere, dates: dates))
        case .gpsd(var machine):
            if let held = machine.takeHeld() { append(held, now, to: &records) }
            _ = machine.stop()
            stream = .gpsd(machine)
        case .command: break
        }
    }

    private mutating func feed(_ now: MonotonicInstant, into records: inout [LogRecord]) {
        var next = 0
        let count = reader.bytes.count
        while next < count {
            next += Self.append(reader.bytes, from: next, to: &lines)
            while let line = lines.nextLine() { Self.read(line, lines, &stream, now, utc(now), time(now), &records) }
        }
        // A datagram that ends with a whole sentence needs no line end.
        guard case .nmea = stream, endsWithChecksum, let line = lines.lastLine() else { return }
        Self.read(line, lines, &stream, now, utc(now), time(now), &records)
    }

    private static func append(_ bytes: [UInt8], from start: Int, to lines: inout LineSplitter) -> Int {
        lines.append(bytes.span.extracting(start..<bytes.count))
    }

    private var endsWithChecksum: Bool {
        let rest = lines.rest
        return rest.count > 6 && lines.bytes[rest.upperBound - 3] == UInt8(ascii: "*")
    }

    private static func read(
        _ line: Range<Int>, _ lines: borrowing LineSplitter, _ stream: inout Stream, _ now: MonotonicInstant,
        _ utc: UTCInstant?, _ time: UTCInstant, _ records: inout [LogRecord]
    ) {
        let bytes = lines.bytes.span
        switch stream {
        case .nmea(var epochs):
            epochs.read(bytes, line, now: now, utc: utc) { epoch in
                var record = LogRecord(epoch)
                record.time = time
                records.append(record)
            }
            stream = .nmea(epochs)
        case .gpsd(var machine):
            machine.received(now: now)
            if bytes[line.lowerBound] == UInt8(ascii: "{"), let message = try? GPSDMessage.read(bytes.extracting(line))
            {
                append(machine.read(message, now: now), time, to: &records)
            }
            stream = .gpsd(machine)
        case .command(let uere):
            switch try? CommandMessage.read(bytes.extracting(line), utc: utc, uere: uere) {
            case .fix(let location): records.append(LogRecord(.fix(location), at: time))
            case .noFix: records.append(LogRecord(.noFix, at: time))
            case .error, nil: break
            }
        }
    }

    // MARK: Records

    private func append(_ epoch: NMEAEpoch, _ now: MonotonicInstant, to records: inout [LogRecord]) {
        var record = LogRecord(epoch)
        record.time = time(now)
        records.append(record)
    }

    private func append(_ location: Location, _ now: MonotonicInstant, to records: inout [LogRecord]) {
        records.append(LogRecord(.fix(location), at: time(now)))
    }

    private func append(_ actions: GPSDMachine.Actions, _ now: MonotonicInstant, to records: inout [LogRecord]) {
        Self.append(actions, time(now), to: &records)
    }

    private static func append(_ actions: GPSDMachine.Actions, _ time: UTCInstant, to records: inout [LogRecord]) {
        if let earlier = actions.earlier { records.append(LogRecord(.fix(earlier), at: time)) }
        switch actions.availability {
        case .unavailable(.noFix): records.append(LogRecord(.noFix, at: time))
        case .unavailable: records.append(LogRecord(.lost, at: time))
        case .available, .unknown, nil: break
        }
        if let location = actions.location { records.append(LogRecord(.fix(location), at: time)) }
    }
}
