internal import BenchProbes
internal import LocationProviders
internal import Positioning

/// Reads a receiver's sentences as fast as possible: ours from bytes to locations, beside a plain C reader of sentences.
struct NMEABenchmark {
    struct Settings {
        /// Epochs in the stream: about 1500 bytes each.
        var epochs = 8000
        var rounds = 5
    }

    struct Result {
        /// Megabytes (10^6) per second of CPU time.
        var ours: Summary
        var peer: Summary
        /// Sentences, locations and bytes of one round.
        var sentences: UInt64
        var locations: Int
        var bytes: Int
        /// Heap allocations of ours in one round in steady state; `nil` where they cannot be counted.
        var allocations: UInt64?
        /// Nanoseconds of CPU time for one epoch.
        var epoch: Double
    }

    let settings: Settings

    func run() throws(BenchmarkError) -> Result {
        let text = NMEAStream.bytes(epochs: settings.epochs)
        var (ours, peer): ([Double], [Double]) = ([], [])
        var locations = 0
        var sentences: UInt64 = 0
        // The first round of each warms up.
        for round in 0...settings.rounds {
            let (found, seconds) = Self.ours(text)
            let (totals, peerSeconds) = Self.peer(text)
            guard totals.rejected == 0, found == settings.epochs else {
                throw BenchmarkError(
                    "\(found) locations of \(settings.epochs) epochs, \(totals.rejected) sentences refused")
            }
            (locations, sentences) = (found, totals.sentences)
            guard round > 0 else { continue }
            ours.append(Double(text.count) / seconds / 1e6)
            peer.append(Double(text.count) / peerSeconds / 1e6)
        }
        let summary = Summary(ours)
        return Result(
            ours: summary, peer: Summary(peer), sentences: sentences, locations: locations, bytes: text.count,
            allocations: Self.allocations(text), epoch: Double(text.count) / Double(locations) / summary.median * 1e3)
    }

    private static func peer(_ text: [UInt8]) -> (nmea_reader_totals, Double) {
        var totals = nmea_reader_totals()
        let start = Clock.processorTime()
        unsafe text.withUnsafeBytes { buffer in
            let base = unsafe buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
            unsafe nmea_reader_read(base, buffer.count, &totals)
        }
        return (totals, Clock.processorTime() - start)
    }

    private static func ours(_ text: [UInt8]) -> (Int, Double) {
        var reader = Reader()
        let start = Clock.processorTime()
        reader.read(text)
        return (reader.locations, Clock.processorTime() - start)
    }

    /// In a second pass by the same reader, whose buffer is there by then.
    private static func allocations(_ text: [UInt8]) -> UInt64? {
        let known = allocation_count()
        let sample = [UInt8](repeating: 1, count: Int(known & 1) + 4096)
        guard allocation_count() > known, sample.count > 4000 else { return nil }
        var reader = Reader()
        reader.read(text)
        let before = allocation_count()
        reader.read(text)
        return allocation_count() - before
    }
}

/// What a live source does with bytes, without the descriptor.
private struct Reader: ~Copyable {
    var splitter = LineSplitter()
    var reader = NMEAEpochReader(uere: 5, dates: .live)
    var locations = 0
    /// Nanoseconds; each read is a little later.
    var clock: Int64 = 0

    /// In pieces as a serial port or a socket hands them out.
    mutating func read(_ text: [UInt8]) {
        unsafe text.withUnsafeBytes { text in
            var position = 0
            while position < text.count {
                let (start, end) = (position, min(position + 4096, text.count))
                position += unsafe splitter.fill { free in
                    let count = min(free.count, end - start)
                    unsafe free.copyMemory(from: UnsafeRawBufferPointer(rebasing: text[start..<(start + count)]))
                    return count
                }
                clock += 2000
                let now = MonotonicInstant(nanoseconds: clock)
                while let line = splitter.nextLine() {
                    Self.read(line, of: splitter, at: now, by: &reader, counting: &locations)
                }
            }
        }
        if case .fix = reader.finish(utc: nil) { locations += 1 }
    }

    private static func read(
        _ line: Range<Int>, of lines: borrowing LineSplitter, at now: MonotonicInstant,
        by reader: inout NMEAEpochReader, counting locations: inout Int
    ) {
        reader.read(lines.bytes.span, line, now: now, utc: nil) { epoch in
            if case .fix = epoch { locations += 1 }
        }
    }
}
