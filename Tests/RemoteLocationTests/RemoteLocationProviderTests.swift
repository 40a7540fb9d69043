import FixcastTestKit
import FleetWire
import Foundation
import MessageTransport
import Positioning
import RemoteLocation
import Synchronization
import Testing

@Suite struct RemoteLocationProviderTests {
    /// A provider in memory, with what it told.
    private final class Setup: Sendable {
        let broker = InMemoryBroker()
        let scheduler = ManualScheduler()
        let transport: InMemoryTransport
        let router: MessageRouter
        let provider: RemoteLocationProvider
        let events = Mutex<[ProviderEvent]>([])
        let notices = Mutex<[RemoteNotice]>([])
        let root = TopicRoot.standard

        init() throws {
            transport = InMemoryTransport(broker: broker, scheduler: scheduler)
            router = MessageRouter(transport: transport)
            let notices = Sink<RemoteNotice>()
            provider = RemoteLocationProvider(
                vehicle: try VehicleID("van"), router: router, scheduler: scheduler, notice: { notices.append($0) })
            self.sink = notices
        }

        let sink: Sink<RemoteNotice>

        func follow() {
            provider.setCallbacks(
                locationCallback: { [weak self] location in self?.events.withLock { $0.append(.location(location)) } },
                availabilityCallback: { [weak self] availability in
                    self?.events.withLock { $0.append(.availability(availability)) }
                })
            scheduler.runPending()
        }

        func publish(_ kind: TopicKind, _ payload: [UInt8], retain: Bool = false) {
            broker.publish(
                OutgoingMessage(topic: root.topic(kind, of: provider.vehicle), payload: payload, retain: retain))
            scheduler.runPending()
        }

        func publish(_ kind: TopicKind, _ text: String, retain: Bool = false) {
            publish(kind, Array(text.utf8), retain: retain)
        }

        func sendReport(_ sequence: UInt64, due: Double? = nil, retain: Bool = false) {
            var payload: [UInt8] = []
            ReportJSON.encode(sample(sequence, due: due), into: &payload)
            publish(.location, payload, retain: retain)
        }

        func sample(_ sequence: UInt64, due: Double? = nil) -> Report {
            Report(
                identity: ReportIdentity(instance: "a", boot: 1, sequence: sequence),
                draft: ReportDraft(
                    location: Location(
                        coordinate: Coordinate(latitude: Double(sequence), longitude: 1), horizontalAccuracy: 5,
                        timestamp: scheduler.utcNow), due: due))
        }

        func say(_ availability: Availability, retain: Bool = true) {
            var payload: [UInt8] = []
            AvailabilityJSON.encode(
                AvailabilityMessage(
                    vehicle: provider.vehicle, instance: "a", boot: 1, connection: 1,
                    state: AvailabilityReport(availability: availability, link: .online)), into: &payload)
            publish(.availability, payload, retain: retain)
        }

        var seen: [ProviderEvent] { events.withLock { $0 } }
        var latitudes: [Double] {
            seen.compactMap { if case .location(let location) = $0 { location.coordinate.latitude } else { nil } }
        }
        var availabilities: [Availability] {
            seen.compactMap { if case .availability(let availability) = $0 { availability } else { nil } }
        }
    }

    private final class Sink<Element: Sendable>: Sendable {
        private let elements = Mutex<[Element]>([])
        func append(_ element: Element) { elements.withLock { $0.append(element) } }
        var all: [Element] { elements.withLock { $0 } }
    }

    @Test func theRetainedReportIsTheLastKnownPositionAndNoNews() throws {
        let setup = try Setup()
        setup.say(.available)
        setup.sendReport(7, retain: true)
        setup.follow()
        #expect(setup.provider.lastLocation?.coordinate.latitude == 7)
        #expect(
            setup.seen == [.availability(.unknown), .availability(.available)]
                || setup.seen == [.availability(.available)])
        setup.sendReport(8, retain: true)
        #expect(setup.latitudes == [8])
    }

    @Test func theCompactFormIsReadOnBothLanes() throws {
        let setup = try Setup()
        setup.say(.available)
        setup.follow()
        var payload: [UInt8] = []
        CompactTrack.encode([setup.sample(3)], into: &payload)
        setup.publish(.location, payload)
        #expect(setup.latitudes == [3])
        // A batch of another size is no live report.
        payload = []
        CompactTrack.encode([setup.sample(4), setup.sample(5)], into: &payload)
        setup.publish(.location, payload)
        #expect(setup.latitudes == [3] && setup.sink.all.count == 1)
        setup.publish(.track, payload)
        #expect(setup.sink.all.count == 1)
        let message = IncomingMessage(topic: "fleet/van/track", payload: payload, retained: false)
        let track = TrackMessage(instance: "a", boot: 1, reports: [setup.sample(4), setup.sample(5)])
        #expect(try RemoteMessage(message, .track) == .track(track))
    }

    @Test func anOutageOfTheOwnLinkIsTold() throws {
        let setup = try Setup()
        setup.say(.available)
        setup.follow()
        setup.sendReport(1)
        setup.transport.loseConnection()
        setup.scheduler.runPending()
        #expect(setup.availabilities.last == .unavailable(.linkLost))
        // Missed meanwhile: it is the last known position when the link is back.
        setup.sendReport(2, retain: true)
        setup.transport.reconnect()
        setup.scheduler.runPending()
        #expect(setup.availabilities.last == .available)
        #expect(setup.latitudes == [1])
        #expect(setup.provider.lastLocation?.coordinate.latitude == 2)
        setup.sendReport(3)
        #expect(setup.latitudes == [1, 3])
    }

    @Test func aRefusedSubscriptionIsTold() throws {
        let setup = try Setup()
        setup.broker.refuse("fleet/van/location")
        setup.follow()
        #expect(setup.availabilities.last == .unavailable(.permissionDenied))
        #expect(setup.sink.all == [.subscriptionRefused(filter: "fleet/van/location", .notAuthorized)])
    }

    @Test("S04: what cannot be read is counted, told without coordinates, and loses nothing else") func s04Counted()
        throws
    {
        let setup = try Setup()
        setup.say(.available)
        setup.follow()
        setup.publish(.location, #"{"v":1,"inst":"a","boot":1,"seq":1,"lat":"54.5","lon":3}"#)
        setup.publish(.location, "garbage")
        setup.publish(.location, #"{"v":2,"lat":1}"#)
        setup.publish(.location, #"{"v":1,"#)
        setup.publish(.location, "")
        setup.publish(.availability, #"{"v":1}"#)
        setup.publish(
            .track,
            #"{"v":1,"inst":"a","boot":1,"reports":[{"seq":1,"lat":1,"lon":2,"hacc":3},{"seq":2,"lat":true,"lon":2},{"seq":3,"lat":3,"lon":2}]}"#
        )
        setup.sendReport(4)
        #expect(setup.latitudes == [4])
        #expect(setup.provider.counters.malformed == [.type: 2, .encoding: 1, .version: 1, .syntax: 1, .missing: 1])
        #expect(setup.provider.counters.accepted == 3)
        #expect(setup.sink.all.count == 6)
        for case .malformed(_, _, let excerpt) in setup.sink.all { #expect(!excerpt.contains("54")) }
        #expect(setup.availabilities.last == .available)
    }

    @Test func countsWhatItRefuses() throws {
        let setup = try Setup()
        setup.say(.available)
        setup.follow()
        for sequence in [1, 2, 2, 1] as [UInt64] { setup.sendReport(sequence) }
        var counters = RemoteCounters()
        counters.accepted = 2
        counters.duplicates = 1
        counters.outdated = 1
        #expect(setup.provider.counters == counters)
    }

    @Test func staleByTheTimer() throws {
        let setup = try Setup()
        setup.say(.available)
        setup.follow()
        setup.sendReport(1, due: 20)
        setup.scheduler.advance(by: .milliseconds(19_999))
        #expect(setup.availabilities.last == .available)
        setup.sendReport(2, due: 20)
        setup.scheduler.advance(by: .milliseconds(19_999))
        #expect(setup.availabilities.last == .available)
        setup.scheduler.advance(by: .milliseconds(1))
        #expect(setup.availabilities.last == .unavailable(.stale))
        setup.provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        setup.scheduler.runPending()
        #expect(setup.scheduler.nextDeadline == nil)
    }

    @Test func severalProvidersShareOneTransport() throws {
        let setup = try Setup()
        let other = RemoteLocationProvider(
            vehicle: try VehicleID("car"), router: setup.router, scheduler: setup.scheduler)
        let twin = RemoteLocationProvider(
            vehicle: setup.provider.vehicle, router: setup.router, scheduler: setup.scheduler)
        let (ofOther, ofTwin) = (Sink<Location>(), Sink<Location>())
        setup.say(.available)
        setup.follow()
        other.setCallbacks(locationCallback: { ofOther.append($0) }, availabilityCallback: nil)
        setup.scheduler.runPending()
        twin.setCallbacks(locationCallback: { ofTwin.append($0) }, availabilityCallback: nil)
        setup.scheduler.runPending()
        setup.sendReport(1)
        #expect(setup.latitudes == [1])
        #expect(ofTwin.all.map(\.coordinate.latitude) == [1])
        #expect(ofOther.all.isEmpty)
        twin.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        setup.scheduler.runPending()
        setup.sendReport(2)
        #expect(setup.latitudes == [1, 2])
        #expect(ofTwin.all.count == 1)
        setup.router.stop()
        setup.scheduler.runPending()
        #expect(setup.availabilities.last == .unavailable(.linkLost))
    }

    @Test func aProviderThatIsDroppedStopsListening() throws {
        let setup = try Setup()
        weak var dropped: RemoteLocationProvider?
        do {
            let provider = RemoteLocationProvider(
                vehicle: try VehicleID("car"), router: setup.router, scheduler: setup.scheduler)
            provider.setCallbacks(locationCallback: { _ in }, availabilityCallback: nil)
            setup.scheduler.runPending()
            dropped = provider
        }
        #expect(dropped == nil)
        setup.broker.publish(OutgoingMessage(topic: "fleet/car/location", payload: Array("{}".utf8)))
        setup.scheduler.runPending()
    }

    @Test("S07: a callback may replace itself, stop everything and publish", arguments: [0, 1, 2, 3, 4])
    func s07InsideACallback(action: Int) throws {
        let setup = try Setup()
        let provider = setup.provider
        let router = setup.router
        let calls = Sink<Double>()
        setup.say(.available)
        provider.setCallbacks(
            locationCallback: { location in
                calls.append(location.coordinate.latitude)
                switch action {
                case 0:
                    provider.setCallbacks(
                        locationCallback: { calls.append(-$0.coordinate.latitude) }, availabilityCallback: nil)
                case 1: provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
                case 2: router.stop()
                case 3:
                    router.publish(
                        OutgoingMessage(
                            topic: "fleet/van/location",
                            payload: Array(#"{"v":1,"inst":"a","boot":1,"seq":2,"lat":2,"lon":1,"hacc":1}"#.utf8)))
                default:
                    // From another thread, while this one waits for it.
                    let done = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        router.publish(OutgoingMessage(topic: "fleet/van/x", payload: [1]))
                        provider.setDesiredAccuracy(.high)
                        _ = (provider.lastLocation, provider.counters, provider.isOpen)
                        router.stop()
                        done.signal()
                    }
                    #expect(done.wait(timeout: .now() + 10) == .success)
                }
            }, availabilityCallback: nil)
        setup.scheduler.runPending()
        setup.sendReport(1)
        setup.sendReport(2)
        setup.sendReport(3)
        switch action {
        case 0: #expect(calls.all == [1, -2, -3])
        case 3: #expect(calls.all == [1, 2, 3])
        default: #expect(calls.all == [1])
        }
    }

    @Test("S07: callbacks are replaced from another thread while reports come") func s07OtherThread() async throws {
        let setup = try Setup()
        setup.say(.available)
        setup.follow()
        let provider = setup.provider
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<500 {
                    let isRetired = Atomic(false)
                    let late = Sink<Location>()
                    provider.setCallbacks(
                        locationCallback: { if isRetired.load(ordering: .sequentiallyConsistent) { late.append($0) } },
                        availabilityCallback: nil)
                    await Task.yield()
                    provider.setCallbacks(locationCallback: { _ in }, availabilityCallback: { _ in })
                    isRetired.store(true, ordering: .sequentiallyConsistent)
                    #expect(late.all.isEmpty)
                }
            }
            group.addTask {
                for sequence in 1...500 as ClosedRange<UInt64> {
                    setup.sendReport(sequence)
                    await Task.yield()
                }
            }
        }
        #expect(provider.counters.accepted == 500)
    }
}
