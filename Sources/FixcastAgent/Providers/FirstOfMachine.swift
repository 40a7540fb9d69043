internal import Positioning

/// Chooses among sources in order of preference: pure. All of them are open; the positions of one are passed on.
///
/// A source is *good* while it is available and its last reliable position is younger than ``silence``. The first good
/// one is chosen. One that was lost comes back only after it has been good for ``proof``, so that a bad antenna does not
/// make the choice go to and fro. While none is good, the first that is available and sends positions, reliable or not,
/// is chosen; while there is none of those either, the choice stays as it is.
struct FirstOfMachine: Equatable, Sendable {
    /// What an event led to, to be performed from the first to the last.
    struct Actions: Equatable, Sendable {
        /// The source chosen anew.
        var chosen: Int?
        var availability: Availability?
        /// Whether the position that came is to be passed on.
        var delivers = false
    }

    private struct Source: Equatable, Sendable {
        var availability = Availability.unknown
        var lastPosition: MonotonicInstant?
        var lastReliable: MonotonicInstant?
        var goodSince: MonotonicInstant?
        /// Whether it was chosen, and then no longer good.
        var wasLost = false
    }

    let silence: Duration
    let proof: Duration
    private var sources: [Source]
    private(set) var chosen: Int?

    init(count: Int, silence: Duration, proof: Duration) {
        self.silence = silence
        self.proof = proof
        sources = [Source](repeating: Source(), count: count)
    }

    /// When ``deadlinePassed(now:)`` is next to be called: when the chosen source is silent for too long.
    var nextDeadline: MonotonicInstant? {
        guard let chosen, sources[chosen].goodSince != nil else { return nil }
        return sources[chosen].lastReliable.map { $0 + silence }
    }

    /// The sources were closed: what they said is void.
    mutating func reset() { self = FirstOfMachine(count: sources.count, silence: silence, proof: proof) }

    mutating func availabilityChanged(_ index: Int, _ availability: Availability, now: MonotonicInstant) -> Actions {
        sources[index].availability = availability
        return choose(now)
    }

    mutating func received(_ index: Int, isReliable: Bool, now: MonotonicInstant) -> Actions {
        sources[index].lastPosition = now
        if isReliable { sources[index].lastReliable = now }
        var actions = choose(now, arrived: index)
        actions.delivers = chosen == index
        return actions
    }

    mutating func deadlinePassed(now: MonotonicInstant) -> Actions { choose(now) }

    /// - Parameter arrived: the source of a position that came, which is better than none at all.
    private mutating func choose(_ now: MonotonicInstant, arrived: Int? = nil) -> Actions {
        for index in sources.indices { judge(index, now) }
        let former = chosen
        chosen = best(now, arrived) ?? chosen ?? arrived
        return Actions(chosen: chosen == former ? nil : chosen, availability: availability)
    }

    private mutating func judge(_ index: Int, _ now: MonotonicInstant) {
        let source = sources[index]
        let isGood = source.availability.isAvailable && isYoung(source.lastReliable, now)
        if isGood, source.goodSince == nil {
            sources[index].goodSince = now
        } else if !isGood, source.goodSince != nil {
            sources[index].goodSince = nil
            if index == chosen { sources[index].wasLost = true }
        }
    }

    private func best(_ now: MonotonicInstant, _ arrived: Int?) -> Int? {
        for (index, source) in sources.enumerated() {
            guard let since = source.goodSince else { continue }
            // Before another good one, a source that was lost has to prove itself, and returns with a position.
            let mustProve = source.wasLost && index != chosen && chosen.map { sources[$0].goodSince != nil } ?? false
            if !mustProve || (index == arrived && now - since >= proof) { return index }
        }
        if let chosen, sources[chosen].availability.isAvailable, isYoung(sources[chosen].lastPosition, now) {
            return chosen
        }
        return sources.firstIndex { $0.availability.isAvailable && isYoung($0.lastPosition, now) }
    }

    private func isYoung(_ instant: MonotonicInstant?, _ now: MonotonicInstant) -> Bool {
        instant.map { now - $0 < silence } ?? false
    }

    /// The chosen source's word; before the choice, that of one that is available, else the first that was said.
    private var availability: Availability? {
        let word =
            chosen.map { sources[$0].availability } ?? sources.first { $0.availability.isAvailable }?.availability
            ?? sources.first { $0.availability != .unknown }?.availability
        return word == .unknown ? nil : word
    }
}
