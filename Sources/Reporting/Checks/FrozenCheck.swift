internal import Positioning

/// A receiver whose position stands still to the last bit while its own speed says that it moves repeats an old solution. A
/// parked receiver that holds its position is not frozen: its speed is 0.
struct FrozenCheck: Equatable, Sendable {
    /// Metres per second from which a vehicle moves.
    static let movingSpeed = 1.0
    static let runLength = 3
    /// Seconds.
    static let runDuration = 5.0

    private var coordinate: Coordinate?
    private var start: FixInstant?
    private var run = 0

    /// Judges a fix by the run of equal places that it continues or ends.
    mutating func reject(_ location: Location, at instant: FixInstant) -> Rejection? {
        guard let speed = location.speed, speed > Self.movingSpeed else {
            coordinate = nil
            return nil
        }
        guard coordinate == location.coordinate, let start else {
            coordinate = location.coordinate
            start = instant
            run = 1
            return nil
        }
        run += 1
        let frozen = instant.seconds(since: start)
        guard run >= Self.runLength, frozen >= Self.runDuration else { return nil }
        return Rejection(rule: .frozen, value: frozen, threshold: Self.runDuration)
    }
}
