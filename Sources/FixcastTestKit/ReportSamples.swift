public import Positioning

/// Reports with every combination of known and unknown values, at the resolution of the wire.
public struct ReportSamples {
    public var random: SeededGenerator

    public init(random: SeededGenerator) { self.random = random }

    /// The example of WIRE.md.
    public static let full: Report = {
        var location = Location(
            coordinate: Coordinate(latitude: 52.5200081, longitude: 13.4049543), horizontalAccuracy: 3.2,
            timestamp: UTCInstant(milliseconds: 1_796_010_000_200))
        location.altitude = 34.5
        location.verticalAccuracy = 5.1
        location.speed = 13.9
        location.speedAccuracy = 0.3
        location.course = 271.3
        location.courseAccuracy = 2.1
        location.fix = .threeD
        location.satellitesUsed = 11
        location.hdop = 0.9
        location.source = "gpsd"
        return Report(
            identity: ReportIdentity(instance: "k3f9a2", boot: 17, sequence: 4711),
            draft: ReportDraft(location: location, motion: .moving, trigger: .error, due: 75, bound: 15))
    }()

    public mutating func next() -> Report {
        var location = Location(
            coordinate: Coordinate(latitude: value(-90, 90, 7), longitude: value(-180, 180, 7)),
            horizontalAccuracy: maybe(value(0.001, 200, 3)),
            timestamp: maybe(UTCInstant(milliseconds: whole(0...4_000_000_000_000))))
        if Bool.random(using: &random) {
            location.coordinate.latitude = [0, 90, -90, 91, -1000].randomElement(using: &random)!
        }
        location.isAccuracyAssumed = location.horizontalAccuracy != nil && Bool.random(using: &random)
        location.altitude = maybe(value(-400, 9000, 2))
        if location.altitude != nil, Bool.random(using: &random) { location.altitudeReference = .wgs84Ellipsoid }
        location.verticalAccuracy = maybe(value(0, 50, 3))
        location.speed = maybe(value(0, 80, 2))
        location.speedAccuracy = maybe(value(0, 5, 3))
        location.course = maybe(value(0, 359.9, 1))
        location.courseAccuracy = maybe(value(0, 180, 3))
        location.fix = FixType.allCases.randomElement(using: &random)!
        location.satellitesUsed = maybe(Int(whole(0...40)))
        location.hdop = maybe(value(0, 99, 2))
        location.source = maybe(["gpsd", "nmea", "a \"quoted\" söurce\n🚀", ""].randomElement(using: &random)!)
        location.passedValues = maybe(
            PassedValues(
                json: Array(
                    [#"{}"#, #"{"ignition":true,"odometer":123456.7}"#, #"{ "a":[1,{"b":null}],"ü":"\u00e4" }"#]
                        .randomElement(using: &random)!.utf8))!)
        location.isSimulated = Bool.random(using: &random)
        location.isExtrapolated = Bool.random(using: &random)
        location.unreliable = UnreliableReasons(
            rawValue: UInt8(whole(0...31)) | (Bool.random(using: &random) ? 128 : 0))
        if Bool.random(using: &random) { location.unreliable = [] }
        location.unreliable.formUnion(location.intrinsicUnreliability)
        return Report(
            identity: ReportIdentity(
                instance: ["k3f9a2", "x", "inst_\"1\""].randomElement(using: &random)!, boot: UInt64(whole(1...(.max))),
                sequence: UInt64(whole(1...100_000))),
            draft: ReportDraft(
                location: location, motion: maybe(Motion.allCases.randomElement(using: &random)!),
                trigger: maybe(ReportTrigger.allCases.randomElement(using: &random)!), due: maybe(value(1, 4000, 3)),
                bound: maybe(value(0.01, 100, 2)),
                predictionVelocity: maybe(Velocity(north: value(-60, 60, 2), east: value(-60, 60, 2))),
                uptime: maybe(value(0, 1e6, 3))))
    }

    private mutating func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }

    private mutating func whole(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

    /// A number that is exactly what its decimals say.
    private mutating func value(_ low: Double, _ high: Double, _ decimals: Int) -> Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return (Double.random(in: low...high, using: &random) * scale).rounded(.down).clamped(low * scale, high * scale)
            / scale
    }
}

extension Double {
    fileprivate func clamped(_ low: Double, _ high: Double) -> Double {
        min(max(self, low.rounded(.up)), high.rounded(.down))
    }
}
