/// How many satellites are above the horizon, by constellation, of the GSV sentences that came last. Receivers that track
/// several signals of a satellite list it once for each: the longest list counts.
struct NMEASatellitesInView: Equatable, Sendable {
    private var latest = SIMD8<UInt8>()
    private var isOpen = false

    /// Of all constellations; `nil` before the first epoch with GSV ended.
    private(set) var total: Int?

    mutating func note(_ gsv: NMEASentence.GSV, _ talker: NMEATalker) {
        latest[talker.constellation] = max(latest[talker.constellation], gsv.satellites)
        isOpen = true
    }

    /// An epoch ended: many receivers list the satellites every few epochs only.
    mutating func endEpoch() {
        guard isOpen else { return }
        total = (0..<8).reduce(0) { $0 + Int(latest[$1]) }
        (latest, isOpen) = (SIMD8(), false)
    }
}
