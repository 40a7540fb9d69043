import FleetWire
import MessageTransport
import Positioning
import Testing

@testable import FixcastCommand

@Suite struct WatchedVehiclesTests {
    private let now = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let utc = UTCInstant(milliseconds: 1_796_010_000_000)

    private func report(_ sequence: UInt64) -> Report {
        Report(
            identity: ReportIdentity(instance: "a", boot: 1, sequence: sequence),
            draft: ReportDraft(
                location: Location(
                    coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: 5, timestamp: utc), due: 75))
    }

    private func message(_ vehicle: String, _ report: Report, retained: Bool = false) -> IncomingMessage {
        var payload: [UInt8] = []
        ReportJSON.encode(report, into: &payload)
        return IncomingMessage(topic: "fleet/\(vehicle)/location", payload: payload, retained: retained)
    }

    private func availability(_ vehicle: String, _ availability: Availability) throws -> IncomingMessage {
        var payload: [UInt8] = []
        AvailabilityJSON.encode(
            AvailabilityMessage(
                vehicle: try VehicleID(vehicle), instance: "a", boot: 1, connection: 1,
                state: AvailabilityReport(availability: availability, since: utc, link: .online)), into: &payload)
        return IncomingMessage(topic: "fleet/\(vehicle)/availability", payload: payload, retained: true)
    }

    @Test func followsAllVehiclesOfTheRoot() throws {
        var vehicles = WatchedVehicles(root: .standard, vehicle: nil)
        #expect(vehicles.linkChanged(isUp: true, now: now, utc: utc).isEmpty)
        let later = UTCInstant(milliseconds: utc.milliseconds + 5000)
        for name in ["a", "b"] {
            let id = try VehicleID(name)
            let birth = try vehicles.receive(availability(name, .available), now: now, utc: later, trusted: later)
            #expect(birth?.events == [.availability(id, .available, utc)])
            let known = try vehicles.receive(
                message(name, report(1), retained: true), now: now, utc: later, trusted: later)
            #expect(known?.events == [.position(id, report(1), isLastKnown: true)])
            let news = try vehicles.receive(message(name, report(2)), now: now, utc: later, trusted: later)
            #expect(news?.events == [.position(id, report(2), isLastKnown: false)])
            #expect(vehicles.deadline(of: id) == now + .seconds(75))
            #expect(
                vehicles.deadlinePassed(id, now: now + .seconds(75), utc: later) == [
                    .availability(id, .unavailable(.stale), later)
                ])
        }
        #expect(vehicles.linkChanged(isUp: false, now: now, utc: later).count == 2)
    }

    @Test func followsOneVehicleOnly() throws {
        let id = try VehicleID("a")
        var vehicles = WatchedVehicles(root: .standard, vehicle: id)
        #expect(vehicles.subscriptions.map(\.filter) == ["fleet/a/availability", "fleet/a/location", "fleet/a/track"])
        #expect(try vehicles.receive(message("b", report(1)), now: now, utc: utc, trusted: utc)?.vehicle == nil)
        #expect(
            vehicles.linkChanged(isUp: false, now: now, utc: utc) == [.availability(id, .unavailable(.linkLost), utc)])
    }

    @Test func whatCannotBeReadIsSaid() throws {
        var vehicles = WatchedVehicles(root: .standard, vehicle: nil)
        let garbage = IncomingMessage(topic: "fleet/a/location", payload: [1, 2, 3])
        #expect(throws: WatchedVehicles.Problem.malformed(WireError(.encoding, in: .report))) {
            try vehicles.receive(garbage, now: now, utc: utc, trusted: utc)
        }
        let foreign = IncomingMessage(topic: "elsewhere/a/location", payload: [1])
        #expect(try vehicles.receive(foreign, now: now, utc: utc, trusted: utc)?.vehicle == nil)
    }

    @Test func theNumberOfVehiclesIsBounded() throws {
        var vehicles = WatchedVehicles(root: .standard, vehicle: nil)
        let empty = { (name: String) in IncomingMessage(topic: "fleet/\(name)/location", payload: []) }
        for index in 0..<WatchedVehicles.limit {
            _ = try vehicles.receive(empty("v\(index)"), now: now, utc: utc, trusted: utc)
        }
        #expect(throws: WatchedVehicles.Problem.tooMany) {
            try vehicles.receive(empty("one-more"), now: now, utc: utc, trusted: utc)
        }
        #expect(try vehicles.receive(empty("v7"), now: now, utc: utc, trusted: utc)?.events == [])
    }
}
