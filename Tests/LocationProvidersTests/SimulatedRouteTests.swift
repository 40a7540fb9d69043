import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import LocationProviders

/// Drives along files.
@Suite struct SimulatedRouteTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func route(_ text: String) throws -> RouteFile { try RouteFile.read(directory.write(text, to: "route")) }

    func drive(
        _ route: SimulatedRoute, _ seconds: Int, seed: UInt64 = 1, rate: Double = 5, noise: Double = 3,
        outages: SimulatorSettings.Outages? = nil
    ) -> [(fix: Location?, truth: Coordinate, speed: Double)] {
        var simulation = DriveSimulation(route: route, seed: seed, rate: rate, noise: noise, outages: outages)
        return (0..<Int(Double(seconds) * rate)).map { _ in
            defer { simulation.advance() }
            return (simulation.isInOutage ? nil : simulation.fix(at: nil), simulation.truth, simulation.speed)
        }
    }

    static let line = "[[13.5,52.4],[13.51,52.4],[13.51,52.405]]"

    static let gpx =
        "<gpx><wpt lat='52.4' lon='13.51'/><wpt lat='50' lon='13'/><trk><trkseg><trkpt lat='52.4' lon='13.5'/><trkpt lat='52.4' lon='13.51'/></trkseg><trkseg><trkpt lat='52.405' lon='13.51'><ele>40</ele></trkpt></trkseg></trk></gpx>"

    @Test(arguments: [
        "{\"type\":\"LineString\",\"coordinates\":\(line)}",
        "{\"coordinates\":[\(line)],\"type\":\"MultiLineString\",\"bbox\":[1,2,3,4]}",
        "{\"type\":\"Feature\",\"properties\":{\"coordinates\":[[1,2]]},\"geometry\":{\"type\":\"LineString\",\"coordinates\":\(line)}}",
        "\u{FEFF}{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,2],[3,3],[1,1]]]}},{\"type\":\"Feature\",\"geometry\":null},{\"geometry\":{\"coordinates\":\(line),\"type\":\"LineString\"},\"type\":\"Feature\"}]}",
        "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"LineString\",\"coordinates\":\(line)}]}",
        gpx,
        gpx.replacing("trkpt", with: "rtept").replacing("<trk>", with: "<rte>").replacing("</trk>", with: "</rte>"),
    ])
    func theSameLineIsReadFromEveryForm(text: String) throws {
        #expect(
            try route(text).line.map(\.coordinate) == [
                Coordinate(latitude: 52.4, longitude: 13.5), Coordinate(latitude: 52.4, longitude: 13.51),
                Coordinate(latitude: 52.405, longitude: 13.51),
            ])
    }

    @Test func whatIsNoRouteIsNamed() throws {
        let file = directory.file("route").path
        for text in ["", "hello", "{}", "[1,2]", "{\"type\":\"Topology\"}", "{\"type\":\"LineString\"", "<kml/>"] {
            #expect(throws: ReplayError.unknownRoute(file: file), "\(text)") { try route(text) }
        }
        for text in [
            "<gpx/>", "{\"type\":\"LineString\",\"coordinates\":[]}",
            "{\"type\":\"LineString\",\"coordinates\":[[1,2],[1,2]]}",
            "{\"type\":\"LineString\",\"coordinates\":[[[1,2],[3,4]]]}", "{\"type\":\"Point\",\"coordinates\":[1,2]}",
            "{\"type\":\"LineString\",\"coordinates\":[[1,200],[3,\"4\"],[5]]}",
        ] {
            #expect(throws: ReplayError.noPositions(file: file), "\(text)") { try route(text) }
        }
        #expect(throws: ReplayError.cannotRead(file: "/nowhere", errno: 2)) { try RouteFile.read("/nowhere") }
        #expect(throws: ReplayError.notAFile(file: "/")) { try RouteFile.read("/") }
    }

    @Test func anOpenRouteIsDrivenToItsEndAndBackStoppingWhereItSays() throws {
        let file = try route(Self.gpx)
        #expect(file.stops.count == 2)
        let road = file.route(speed: 20, dwell: 10)
        #expect(abs(road.length - 2 * 1234) < 30)
        let drive = drive(road, 400)
        var (stops, wasStanding) = ([Coordinate](), true)
        for (_, truth, speed) in drive {
            if speed == 0, !wasStanding { stops.append(truth) }
            wasStanding = speed == 0
        }
        let corner = Coordinate(latitude: 52.4, longitude: 13.51)
        let (start, end) = (file.line[0].coordinate, file.line[2].coordinate)
        #expect(stops.count >= 5)
        for (stop, expected) in zip(stops, [corner, end, corner, start, corner]) {
            #expect(Geodesy.distance(stop, expected) < 1)
        }
    }

    @Test func aRouteThatComesBackIsDrivenRound() throws {
        let text =
            "{\"type\":\"LineString\",\"coordinates\":[[13.5,52.4],[13.51,52.4],[13.51,52.41],[13.5,52.41],[13.5,52.4001]]}"
        let road = try route(text).route(speed: 15, dwell: 10)
        #expect(!road.vertices.contains { $0.dwell > 0 })
        let drive = drive(road, 600)
        #expect(drive.dropFirst(100).allSatisfy { $0.speed > 0.4 })
    }

    @Test(arguments: [(8.0, 60), (30, 60)]) func theVehicleKeepsToItsSpeedAndToPhysics(speed: Double, seconds: Int)
        throws
    {
        let coordinates = (0..<60).map {
            "[\(13.5 + Double($0) * 0.002 + ($0 % 2 == 0 ? 0.0005 : 0)),\(52.4 + Double($0 % 7) * 0.001)]"
        }
        let road = try route("{\"type\":\"LineString\",\"coordinates\":[\(coordinates.joined(separator: ","))]}")
            .route(speed: speed, dwell: 5)
        let (rate, drive) = (10.0, drive(road, 1200, rate: 10))
        for (a, b) in zip(drive, drive.dropFirst()) {
            #expect(a.speed <= speed + 1e-9)
            let change = (b.speed - a.speed) * rate
            #expect(change <= DriveSimulation.acceleration + 1e-6)
            // Half a metre per second is given up at once when it stops.
            #expect(change > -7)
            #expect(Geodesy.distance(a.truth, b.truth) <= speed / rate * 1.02 + 0.01)
        }
        #expect(drive.contains { $0.speed > min(speed, 12) * 0.9 })
    }

    @Test func aRouteMayCrossTheDateLine() throws {
        let road = try route("{\"type\":\"LineString\",\"coordinates\":[[179.99,-16],[-179.99,-16.001]]}")
            .route(speed: 25, dwell: 1)
        #expect(abs(road.length / 2 - 2140) < 20)
        let drive = drive(road, 200)
        for (a, b) in zip(drive, drive.dropFirst()) {
            #expect(a.truth.isCorrect && Geodesy.distance(a.truth, b.truth) < 6)
            #expect(a.fix?.coordinate.isCorrect ?? true)
        }
    }

    @Test func noiseIsWhatWasAskedFor() {
        let exact = drive(.town, 300, noise: 0)
        #expect(exact.allSatisfy { Geodesy.distance($0.fix?.coordinate ?? $0.truth, $0.truth) < 1e-3 })
        #expect(exact.allSatisfy { $0.fix?.horizontalAccuracy == DriveSimulation.bestAccuracy })
        var (within, count) = (0, 0)
        for seed in 0..<30 {
            for (fix, truth, _) in drive(.town, 600, seed: UInt64(seed), rate: 1, noise: 20) {
                guard let fix, let accuracy = fix.horizontalAccuracy else { continue }
                count += 1
                if Geodesy.distance(fix.coordinate, truth) <= accuracy { within += 1 }
            }
        }
        #expect((0.60...0.76).contains(Double(within) / Double(count)))
    }

    @Test func outagesComeAndGoAndChangeNothingElse() {
        let outages = SimulatorSettings.Outages(every: .seconds(60), length: .seconds(15))
        let (with, without) = (drive(.town, 6000, rate: 1, outages: outages), drive(.town, 6000, rate: 1))
        let lost = with.filter { $0.fix == nil }.count
        #expect((1100...1900).contains(lost))
        let begins = zip(with, with.dropFirst()).filter { $0.fix != nil && $1.fix == nil }.count
        #expect((80...120).contains(begins))
        #expect(zip(with, without).allSatisfy { $0.fix == nil || $0.fix == $1.fix })
        #expect(with.map(\.fix) == drive(.town, 6000, rate: 1, outages: outages).map(\.fix))
        #expect(
            with.map { $0.fix == nil } != drive(.town, 6000, seed: 2, rate: 1, outages: outages).map { $0.fix == nil })
    }

    @Test func theProviderTellsOutagesAndFollowsItsRoute() throws {
        let scheduler = ManualScheduler()
        let settings = SimulatorSettings(
            route: try directory.write(Self.gpx, to: "route.gpx"), speed: 10, stop: .seconds(5), noise: 1,
            outages: .init(every: .seconds(20), length: .seconds(5)))
        let recording = Recording()
        let provider = try SimulatorProvider(scheduler: scheduler, settings: settings)
        recording.follow(provider)
        scheduler.advance(by: .seconds(200))
        #expect(recording.availabilities.contains(.unavailable(.noFix)))
        #expect(recording.locations.count > 120 && recording.locations.count < 190)
        let start = Coordinate(latitude: 52.4, longitude: 13.5)
        #expect(recording.locations.first.map { Geodesy.distance($0.coordinate, start) < 10 } == true)
        #expect(throws: ReplayError.cannotRead(file: "/nowhere", errno: 2)) {
            try SimulatorProvider(scheduler: scheduler, settings: SimulatorSettings(route: "/nowhere"))
        }
    }

    @Test func theTownMayBeDrivenSlowly() {
        #expect(drive(.town(limit: 5), 600).allSatisfy { $0.speed <= 5 })
    }
}
