internal import Positioning

/// The thresholds that trackers have: whichever is passed first sends. A receiver shows the last position.
struct ThresholdPolicy {
    var name: String
    /// Seconds; 0: off. A fix is due when it is this much later than the last sent one.
    var interval = 0.0
    /// Seconds that the other thresholds wait for at least.
    var floor = 0.0
    /// Metres; 0: off.
    var distance = 0.0
    /// Degrees; 0: off.
    var angle = 0.0
    /// Metres per second below which a course is noise.
    var angleFloor = 0.0
    /// Metres per second; 0: off.
    var speed = 0.0

    /// Whether `fix` is worth sending after `last`.
    func sends(_ fix: Location, after last: Location) -> Bool {
        let elapsed = Double(fix.timestamp!.milliseconds - last.timestamp!.milliseconds) / 1000
        if interval > 0, elapsed >= interval { return true }
        if elapsed < floor { return false }
        if distance > 0, Geodesy.distance(fix.coordinate, last.coordinate) >= distance { return true }
        if angle > 0, let now = fix.course, let then = last.course, fix.speed ?? 0 >= angleFloor {
            let turn = abs(now - then)
            if min(turn, 360 - turn) >= angle { return true }
        }
        if speed > 0, let now = fix.speed, let then = last.speed, abs(now - then) >= speed { return true }
        return false
    }

    static let peers: [ThresholdPolicy] = [
        ThresholdPolicy(name: "OwnTracks, move mode", interval: 300, distance: 100),
        ThresholdPolicy(name: "Traccar Client", interval: 300, distance: 75),
        ThresholdPolicy(
            name: "Teltonika", interval: 300, distance: 100, angle: 10, angleFloor: 10 / 3.6, speed: 10 / 3.6),
        ThresholdPolicy(name: "ETSI CAM", interval: 1, floor: 0.1, distance: 4, angle: 4, speed: 0.5),
    ]

    static let times = [1.0, 10, 30].map { ThresholdPolicy(name: "every \(fixed($0, 0)) s", interval: $0) }

    static let distances = [10.0, 25, 50, 100].map { distance($0) }

    static func distance(_ metres: Double) -> ThresholdPolicy {
        ThresholdPolicy(name: "distance \(fixed(metres, 0)) m", distance: metres)
    }
}
