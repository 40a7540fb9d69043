internal import Positioning

extension GPSDMessage.TPV {
    /// The position of a report with a fix; `nil` where it has none, whatever its mode promises.
    func location(_ accuracy: GPSDAccuracy) -> Location? {
        guard let latitude, let longitude else { return nil }
        var location = Location(coordinate: Coordinate(latitude: latitude, longitude: longitude))
        location.timestamp = time
        location.source = "gpsd"
        location.horizontalAccuracy = horizontalAccuracy(accuracy)
        setAltitude(&location)
        if let speed, speed >= 0 {
            location.speed = speed
            location.speedAccuracy = deviation(speedError)
        }
        if let track, track >= 0, track <= 360 {
            location.course = track == 360 ? 0 : track
            location.courseAccuracy = deviation(trackError)
        }
        location.fix = fix
        location.isSimulated = status == 8
        return location
    }

    private func horizontalAccuracy(_ accuracy: GPSDAccuracy) -> Double? {
        if let horizontalError, horizontalError > 0 { return horizontalError * accuracy.horizontalFactor }
        guard let eastError, let northError, eastError >= 0, northError >= 0, eastError + northError > 0 else {
            return nil
        }
        return (eastError * eastError + northError * northError).squareRoot() * accuracy.horizontalFactor
    }

    private func deviation(_ error: Double?) -> Double? {
        error.flatMap { $0 > 0 ? $0 * GPSDAccuracy.linearFactor : nil }
    }

    /// In mode 2 the altitude is a left-over. `alt` is what releases before 3.20 have alone, and means the sea level.
    private func setAltitude(_ location: inout Location) {
        guard mode == 3 else { return }
        if let altitude = altitudeSeaLevel ?? (altitudeEllipsoid == nil ? altitude : nil) {
            location.altitude = altitude
            location.altitudeReference = .meanSeaLevel
        } else if let altitudeEllipsoid {
            location.altitude = altitudeEllipsoid
            location.altitudeReference = .wgs84Ellipsoid
        } else {
            return
        }
        location.geoidSeparation =
            geoidSeparation
            ?? altitudeEllipsoid.flatMap { ellipsoid in
                altitudeSeaLevel.map { ellipsoid - $0 }
            }
        location.verticalAccuracy = deviation(verticalError)
    }

    /// Status 0 and 1 say less than the mode, and so do 6 (satellites helped by dead reckoning), 8 (simulated, which
    /// is marked apart) and 9 (the precise service).
    private var fix: FixType {
        switch status {
        case 2: .differential
        case 3: .rtkFixed
        case 4: .rtkFloat
        case 5: .deadReckoning
        // Time only: the position is a surveyed one.
        case 7: .manual
        default: mode == 3 ? .threeD : .twoD
        }
    }
}
