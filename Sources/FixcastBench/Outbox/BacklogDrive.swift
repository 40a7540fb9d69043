internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A made-up drive of one report a second, as an agent with gpsd reports it: turns, stops, and noise in each value.
struct BacklogDrive {
    private var state: UInt64 = 42
    private var latitude = 52.52
    private var longitude = 13.405
    private var course = 40.0
    private var speed = 13.0
    private var second = 0

    mutating func next() -> ReportDraft {
        second += 1
        // Half a minute of standing in five.
        let isStanding = second % 300 < 30
        speed = isStanding ? 0 : max(3, min(30, speed + noise(0.8)))
        course = (course + noise(second % 40 < 6 ? 18 : 2) + 360).truncatingRemainder(dividingBy: 360)
        latitude += speed * cos(course * .pi / 180) / 111_195 + noise(2e-6)
        longitude += speed * sin(course * .pi / 180) / (111_195 * cos(latitude * .pi / 180)) + noise(2e-6)
        var location = Location(
            coordinate: Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracy: 3 + abs(noise(1)),
            timestamp: UTCInstant(milliseconds: 1_764_500_000_000 + Int64(second) * 1000))
        location.speed = speed
        location.course = isStanding ? nil : course
        location.fix = .threeD
        location.source = "gpsd"
        var draft = ReportDraft(
            location: location, motion: isStanding ? .stationary : .moving, trigger: .interval, due: 75)
        draft.roundToWireResolution()
        return draft
    }

    /// Evenly within `width` to both sides.
    private mutating func noise(_ width: Double) -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (Double(state >> 33) / Double(1 << 31) * 2 - 1) * width
    }
}
