import Fixcast
import FixcastTestKit
import Synchronization
import Testing

/// The documentation's example, as an app would run it.
@Suite struct FollowTests {
    @Test func anAppFollowsAVehicle() async throws {
        let broker = InMemoryBroker()
        let scheduler = DispatchScheduler()
        let provider = RemoteLocationProvider(
            vehicle: try VehicleID("van"),
            router: MessageRouter(transport: InMemoryTransport(broker: broker, scheduler: scheduler)),
            scheduler: scheduler)
        var payload: [UInt8] = []
        AvailabilityJSON.encode(
            AvailabilityMessage(
                vehicle: provider.vehicle, instance: "a", boot: 1, connection: 1,
                state: AvailabilityReport(availability: .available, link: .online)), into: &payload)
        broker.publish(OutgoingMessage(topic: "fleet/van/availability", payload: payload, retain: true))

        let report = Report(
            identity: ReportIdentity(instance: "a", boot: 1, sequence: 1),
            draft: ReportDraft(
                location: Location(coordinate: Coordinate(latitude: 52.5, longitude: 13.4), horizontalAccuracy: 3)))
        var seen: [ProviderEvent] = []
        for await event in provider.events() {
            seen.append(event)
            if event == .availability(.available) {
                payload.removeAll()
                ReportJSON.encode(report, into: &payload)
                broker.publish(OutgoingMessage(topic: "fleet/van/location", payload: payload))
            }
            if case .location = event { break }
        }
        #expect(seen.last == .location(report.location))
        #expect(provider.lastLocation == report.location)
    }
}
