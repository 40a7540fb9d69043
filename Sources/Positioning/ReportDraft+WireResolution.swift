extension ReportDraft {
    /// Rounds what a receiver predicts from to what the wire carries (WIRE.md, Report): latitude and longitude to 7
    /// decimals, speed, prediction velocity and bound to 2, course to 1, `due` to 3. A report made so is predicted from
    /// alike before it was sent and after it was read. Accuracies of 1 and more are rounded to 1 decimal, which is all that
    /// they mean and takes fewer bytes in the compact form.
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
        location.horizontalAccuracy = location.horizontalAccuracy.map(roundedAccuracy)
        location.verticalAccuracy = location.verticalAccuracy.map(roundedAccuracy)
        location.speedAccuracy = location.speedAccuracy.map(roundedAccuracy)
        location.courseAccuracy = location.courseAccuracy.map(roundedAccuracy)
    }
}

/// The division by an exact power of ten gives the very number that the decimal text is read as.
private func rounded(_ value: Double, _ scale: Double) -> Double {
    let result = (value * scale).rounded() / scale
    // Zero has no sign on the wire.
    return result == 0 ? 0 : result
}

/// What is no number and what is below 1 stays as it is: an accuracy never becomes zero here.
private func roundedAccuracy(_ value: Double) -> Double {
    value >= 1 && value < 0x1p40 ? rounded(value, 10) : value
}
