internal import Positioning

/// The rhythm of a stream: which sentence is the last of an epoch, and how far epochs are apart. Pure.
///
/// A receiver sends its sentences in the same order again and again. Which one is the last is known when as many epochs
/// as ``needed`` ended alike, and then an epoch is complete with that sentence. A sentence that comes after it shows that
/// this was wrong, or is not always so: then more epochs must agree before it is believed again.
struct NMEACycle: Equatable, Sendable {
    /// Kinds of sentences that add to a position; only these make an epoch complete.
    enum Kind: Int, Sendable { case rmc, gga, gns, gll, vtg, gsa, gst }

    /// The last sentence of an epoch: the how manieth of its kind.
    private struct End: Equatable { var kind: Kind, count: UInt8 }

    private var counts = SIMD8<UInt8>()
    private var last: Kind?
    private var candidate: End?
    private var agreeing = 0
    private var needed = 1
    /// Milliseconds between the last epochs, and between those before.
    private var intervals: (Int32, Int32) = (1000, 1000)
    private var lastTime: Int32?

    static func == (a: NMEACycle, b: NMEACycle) -> Bool {
        a.counts == b.counts && a.last == b.last && a.candidate == b.candidate && a.agreeing == b.agreeing
            && a.needed == b.needed && a.intervals == b.intervals && a.lastTime == b.lastTime
    }

    /// Whether it is known which sentence ends an epoch.
    var isKnown: Bool { agreeing >= needed }

    /// Nanoseconds between epochs: the shorter of the last two distances, so that a lost epoch does not count.
    var interval: Int64 { Int64(min(intervals.0, intervals.1)) * 1_000_000 }

    /// Nanoseconds of silence after which an epoch is taken for complete: a quarter of the interval, at most 250 ms; twice
    /// that where it is known that more is to come.
    var patience: Int64 {
        let quarter = min(interval / 4, 250_000_000)
        return isKnown ? quarter * 2 : quarter
    }

    /// Counts a sentence of the open epoch; returns whether it is known to be the last.
    mutating func note(_ kind: Kind) -> Bool {
        counts[kind.rawValue] &+= 1
        last = kind
        return isKnown && candidate == End(kind: kind, count: counts[kind.rawValue])
    }

    /// A sentence came that belongs to the epoch just ended.
    ///
    /// - Parameter wasKnown: whether it was ended because of the sentence known to be the last.
    mutating func noteLate(_ kind: Kind, wasKnown: Bool) {
        if wasKnown, isKnown {
            needed = min(needed * 2, 1 << 16)
            agreeing = 0
        }
        counts[kind.rawValue] &+= 1
        last = kind
    }

    /// Another epoch's first sentence came: what was counted before was one epoch's.
    mutating func begin() {
        if let last {
            let end = End(kind: last, count: counts[last.rawValue])
            agreeing = end == candidate ? min(agreeing + 1, 1 << 20) : 0
            candidate = end
        }
        (counts, last) = (SIMD8(), nil)
    }

    /// The time of the epoch, milliseconds since midnight.
    mutating func note(time: Int32) {
        if let lastTime {
            let distance = time - lastTime
            if distance >= 20, distance <= 10_000 { intervals = (intervals.1, distance) }
        }
        lastTime = time
    }
}
