import Positioning

@testable import LocationProviders

/// A receiver's sentences with the times at which they come, read as a live source does: with a clock, and with the
/// deadline kept.
struct LiveStream {
    /// An epoch and the nanosecond at which it was told.
    struct Told: Equatable {
        var epoch: NMEAEpoch
        var at: Int64
    }

    var reader = NMEAEpochReader(uere: 5, dates: .live)
    /// Milliseconds on the clock.
    var clock: Int64 = 1000
    var utc: UTCInstant?
    private(set) var told: [Told] = []

    var locations: [Location] { told.compactMap { $0.epoch.location } }

    init(utc: UTCInstant? = nil) { self.utc = utc }

    private var now: MonotonicInstant { MonotonicInstant(nanoseconds: clock * 1_000_000) }

    /// Waits until `milliseconds` on the clock, keeping the deadline on the way.
    mutating func wait(until milliseconds: Int64) {
        if let deadline = reader.deadline, deadline.nanoseconds <= milliseconds * 1_000_000 {
            let at = deadline.nanoseconds
            if let epoch = reader.deadlinePassed(now: deadline, utc: utc) { told.append(Told(epoch: epoch, at: at)) }
        }
        clock = milliseconds
    }

    /// Sentences that come now.
    mutating func send(_ text: String) {
        let (now, utc) = (now, utc)
        var new: [NMEAEpoch] = []
        lines(Array(text.utf8)) { span, line in reader.read(span, line, now: now, utc: utc) { new.append($0) } }
        told += new.map { Told(epoch: $0, at: now.nanoseconds) }
    }

    /// Sentences one after another, `gap` milliseconds apart, the first at `start`.
    mutating func send(_ sentences: [String], from start: Int64, gap: Int64) {
        for (index, sentence) in sentences.enumerated() {
            wait(until: start + Int64(index) * gap)
            send(sentence)
        }
    }
}

/// `hhmmss.ss` that many milliseconds after midnight.
func clockText(_ milliseconds: Int64) -> String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = milliseconds / 1000
    return two(seconds / 3600) + two(seconds / 60 % 60) + two(seconds % 60) + "." + two(milliseconds % 1000 / 10)
}
