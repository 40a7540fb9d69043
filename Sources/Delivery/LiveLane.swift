/// The newest positions, which replace each other: what waits for the live lane (WIRE.md, Two lanes).
struct LiveLane {
    /// The newest reliable report.
    var reliable: UInt64?
    /// A newer one that is not reliable; it never replaces the retained position.
    var unreliable: UInt64?
    var isInFlight = false
    var hold = LaneHold()

    /// What the track lane must leave alone.
    var first: UInt64? { reliable ?? unreliable }

    /// A newer report takes the place of those that wait.
    ///
    /// - Returns: how many go to the track lane instead.
    mutating func offer(_ number: UInt64, isReliable: Bool) -> Int {
        let replaced = (isReliable && reliable != nil ? 1 : 0) + (unreliable != nil ? 1 : 0)
        if isReliable {
            reliable = number
            unreliable = nil
        } else {
            unreliable = number
        }
        return replaced
    }

    /// A report that was under way waits again, unless a newer one took its place.
    ///
    /// - Returns: whether the live lane has it.
    mutating func takeBack(_ number: UInt64, isReliable: Bool) -> Bool {
        guard reliable == nil, isReliable || unreliable == nil else { return false }
        if isReliable { reliable = number } else { unreliable = number }
        return true
    }

    mutating func next() -> UInt64? {
        if let number = reliable {
            reliable = nil
            return number
        }
        defer { unreliable = nil }
        return unreliable
    }
}
