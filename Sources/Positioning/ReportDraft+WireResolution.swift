extension ReportDraft {
    /// Rounds what a receiver predicts from to what the wire carries (WIRE.md, Report): latitude and longitude to 7
    /// decimals, speed, prediction velocity and bound to 2, course to 1, `due` to 3. A report made so is predicted from
    /// alike before it was sent and after it was read.
    public mutating func roundToWireResolution() {
        location.coordinate.latitude = rounded(location.coordinate.latitude, 1e7)
        location.coordinate.longitude = rounded(location.coordinate.longitude, 1e7)
        location.speed = location.speed.map { rounded($0, 100) }
        location.course = location.course.map {
            let course = rounded($0, 10)
            return course >= 360 ? 0 : course
        }
        predictionVelocity = predictionVelocity.map {
            Velocity(north: rounded($0.north, 100), east: rounded($0.east, 100))
        }
        due = due.map { rounded($0, 1000) }
        bound = bound.map { rounded($0, 100) }
    }
}

/// The division by an exact power of ten gives the very number that the decimal text is read as.
private func rounded(_ value: Double, _ scale: Double) -> Double {
    let result = (value * scale).rounded() / scale
    // Zero has no sign on the wire.
    return result == 0 ? 0 : result
}
