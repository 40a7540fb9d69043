internal import Positioning

/// Coordinates that a receiver never set. Real places on the equator or the prime meridian have one axis near zero, not
/// both.
enum NullIslandCheck {
    /// Degrees, about 11 m.
    static let radius = 1e-4

    static func reject(_ location: Location) -> Rejection? {
        let offAxes = max(abs(location.coordinate.latitude), abs(location.coordinate.longitude))
        return offAxes < radius ? Rejection(rule: .nullIsland, value: offAxes, threshold: radius) : nil
    }
}
