internal import Positioning

/// Finds the rate at which a receiver talks: pure. One valid sentence settles it, for no wrong rate makes one; a rate
/// that brings bytes and no sentence is left for the next. A receiver that changes its rate is looked for again.
struct BaudSearch: Equatable, Sendable {
    /// The usual ones first: the standard's, then the factory settings of common receivers.
    static let candidates: [BaudRate] = [
        .b4800, .b9600, .b38400, .b115200, .b57600, .b230400, .b460800, .b921600, .b19200,
    ]
    /// From the first byte: the rest of the burst of a second and the beginning of the next.
    private static let patience = Duration.milliseconds(1500)
    /// Fewer bytes than this prove nothing.
    private static let leastBytes = 48
    /// Silence says nothing about the rate; yet some drivers drop what they cannot read.
    private static let silencePatience = Duration.seconds(10)
    /// Without a sentence for this long, in at least so many bytes, the rate that was right is so no more.
    private static let garbagePatience = Duration.seconds(5)
    private static let garbageBytes = 256

    private(set) var rate = candidates[0]
    private(set) var isSettled = false
    /// When this rate was set.
    private var since = MonotonicInstant(nanoseconds: 0)
    private var firstByte: MonotonicInstant?
    /// When the last sentence came, once settled.
    private var lastSentence = MonotonicInstant(nanoseconds: 0)
    /// Since the last sentence, or since the rate was set.
    private var bytes = 0

    /// The port was opened; the rate that was right before is tried first.
    mutating func begin(now: MonotonicInstant) { tryRate(rate, now) }

    /// When ``deadlinePassed(now:)`` is next to be called.
    var deadline: MonotonicInstant? {
        guard !isSettled else { return nil }
        guard let firstByte else { return since + Self.silencePatience }
        return bytes < Self.leastBytes ? since + Self.silencePatience : firstByte + Self.patience
    }

    /// Takes how much came and how many valid sentences were in it; returns the rate to set where it is another.
    mutating func received(bytes count: Int, sentences: Int, now: MonotonicInstant) -> BaudRate? {
        if sentences > 0 {
            (isSettled, bytes, lastSentence) = (true, 0, now)
            return nil
        }
        bytes = min(bytes + count, 1 << 20)
        if isSettled {
            guard bytes >= Self.garbageBytes, lastSentence + Self.garbagePatience <= now else { return nil }
            return tryNext(now)
        }
        firstByte = firstByte ?? now
        return deadlinePassed(now: now)
    }

    mutating func deadlinePassed(now: MonotonicInstant) -> BaudRate? {
        guard let deadline, deadline <= now else { return nil }
        return tryNext(now)
    }

    /// The consumer did not read for a while: what is judged by time begins anew.
    mutating func resume(now: MonotonicInstant) {
        if isSettled { lastSentence = now } else { tryRate(rate, now) }
    }

    private mutating func tryNext(_ now: MonotonicInstant) -> BaudRate {
        let index = Self.candidates.firstIndex(of: rate) ?? 0
        tryRate(Self.candidates[(index + 1) % Self.candidates.count], now)
        return rate
    }

    private mutating func tryRate(_ next: BaudRate, _ now: MonotonicInstant) {
        (rate, isSettled, since, firstByte, bytes) = (next, false, now, nil, 0)
    }
}
