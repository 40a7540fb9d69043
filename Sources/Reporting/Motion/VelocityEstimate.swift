internal import Positioning

/// The vehicle's velocity now, by the best that its receiver says: Doppler speed and course; else its speed in the direction
/// of the last second's displacement; else that displacement alone.
struct VelocityEstimate: Equatable, Sendable {
    private struct Mark: Equatable {
        var point: SpherePoint
        var instant: FixInstant
    }

    /// Seconds of displacement that tell a velocity.
    static let span = 1.0
    /// Metres of displacement that tell a direction.
    static let leastDisplacement = 1.0
    /// Seconds after which a displacement says nothing about now.
    static let longest = 60.0

    /// `nil` until something tells.
    private(set) var velocity: Velocity?
    private var older: Mark?
    private var newer: Mark?

    mutating func update(_ location: Location, _ point: SpherePoint, at instant: FixInstant) {
        let displacement = displacement(to: point, at: instant)
        if let speed = location.speed, let course = location.course {
            velocity = Velocity(speed: speed, course: course)
        } else if let speed = location.speed {
            velocity = directed(speed, along: displacement)
        } else if let displacement {
            velocity = Velocity(
                north: displacement.north / displacement.seconds, east: displacement.east / displacement.seconds)
        }
        remember(Mark(point: point, instant: instant))
    }

    /// Forgets where the vehicle was.
    mutating func reset() {
        velocity = nil
        older = nil
        newer = nil
    }

    private func directed(_ speed: Double, along displacement: Displacement?) -> Velocity? {
        if speed == 0 { return .zero }
        if let displacement {
            let length = Velocity(north: displacement.north, east: displacement.east).speed
            if length >= Self.leastDisplacement {
                return Velocity(
                    north: displacement.north / length * speed, east: displacement.east / length * speed)
            }
        }
        guard let before = velocity, before.speed > 0 else { return nil }
        let scale = speed / before.speed
        return Velocity(north: before.north * scale, east: before.east * scale)
    }

    private struct Displacement {
        var north: Double
        var east: Double
        var seconds: Double
    }

    private func displacement(to point: SpherePoint, at instant: FixInstant) -> Displacement? {
        var mark = newer
        if let recent = newer, instant.seconds(since: recent.instant) < Self.span * 0.9 { mark = older ?? recent }
        guard let mark else { return nil }
        let seconds = instant.seconds(since: mark.instant)
        guard seconds > 0, seconds <= Self.longest else { return nil }
        let offset = point.offset(from: mark.point)
        return Displacement(north: offset.north, east: offset.east, seconds: seconds)
    }

    /// Keeps two marks, the newer of which is at least a span after the older.
    private mutating func remember(_ mark: Mark) {
        guard let recent = newer else {
            newer = mark
            return
        }
        guard mark.instant.seconds(since: recent.instant) >= Self.span * 0.9 else { return }
        older = recent
        newer = mark
    }
}
