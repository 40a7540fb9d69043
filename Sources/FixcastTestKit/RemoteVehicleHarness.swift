public import FleetWire
public import MessageTransport
public import Positioning
public import RemoteLocation
internal import Synchronization

/// Drives a ``RemoteLocation/RemoteLocationProvider`` by a vehicle made of messages: it publishes what an agent would
/// publish, over any transport, so that the conformance suite runs in memory and over a real broker alike.
public final class RemoteVehicleHarness: RemoteProviderHarness {
    public static let capabilities: HarnessCapabilities = [
        .chosenPositions, .unusableAccuracy, .incorrectCoordinates, .positionsWhileUnknown, .unavailability,
        .positionsWhileUnavailable, .reports,
    ]

    private struct Vehicle {
        var availability = Availability.unknown
        var sequence: UInt64 = 0
        var probe: UInt8 = 0
    }

    public let provider: any LocationProvider
    public let patience: Duration
    /// The provider under test with all that it has beside the interface.
    public let remote: RemoteLocationProvider
    private let root: TopicRoot
    private let vehicle: any MessageTransport
    private let start: UTCInstant
    private let state = Mutex(Vehicle())
    private let router: MessageRouter
    private let scheduler: any ProviderScheduler
    private let arrived = Mutex<[UInt8]>([])
    private let settleAction: (@Sendable () async throws -> Void)?
    private let advanceAction: @Sendable (Duration) async throws -> Void
    private let shutDownAction: @Sendable () async -> Void

    /// - Parameters:
    ///   - vehicle: the transport by which the vehicle publishes, started and connected.
    ///   - receiver: the transport of the provider, not yet started.
    ///   - patience: how long a message may be on its way; zero where `settle` is exact.
    ///   - settle: returns when what was caused has happened; without it a message sent behind everything else tells.
    ///   - advance: lets time pass on `scheduler`.
    public init(
        id: VehicleID, root: TopicRoot = .standard, vehicle: any MessageTransport, receiver: any MessageTransport,
        scheduler: any ProviderScheduler, patience: Duration = .zero,
        settle: (@Sendable () async throws -> Void)? = nil,
        advance: @escaping @Sendable (Duration) async throws -> Void,
        shutDown: @escaping @Sendable () async -> Void = {}
    ) {
        self.root = root
        self.vehicle = vehicle
        self.patience = patience
        start = scheduler.utcNow ?? UTCInstant(milliseconds: 1_796_010_000_000)
        settleAction = settle
        advanceAction = advance
        shutDownAction = shutDown
        self.scheduler = scheduler
        router = MessageRouter(transport: receiver)
        remote = RemoteLocationProvider(vehicle: id, root: root, router: router, scheduler: scheduler)
        provider = remote
    }

    /// A vehicle and its receiver in memory, on a manual clock.
    public static func inMemory() throws -> RemoteVehicleHarness {
        let (broker, scheduler) = (InMemoryBroker(), ManualScheduler())
        let vehicle = InMemoryTransport(broker: broker, scheduler: scheduler)
        vehicle.start { _ in }
        return RemoteVehicleHarness(
            id: try VehicleID("van-042"), vehicle: vehicle,
            receiver: InMemoryTransport(broker: broker, scheduler: scheduler), scheduler: scheduler,
            settle: { scheduler.runPending() }, advance: { scheduler.advance(by: $0) })
    }

    public var isSourceOpen: Bool? { remote.isOpen }

    public func sample(_ index: Int) -> Location {
        Location(
            coordinate: Coordinate(latitude: 52.5 + Double(index) / 1000, longitude: 13.4), horizontalAccuracy: 5,
            timestamp: start + .seconds(index))
    }

    public func inject(_ location: Location) async throws {
        let (stamped, sequence) = state.withLock { vehicle in
            vehicle.sequence += 1
            var stamped = location
            stamped.unreliable = location.unreliability(while: vehicle.availability)
            return (stamped, vehicle.sequence)
        }
        try await inject(stamped, boot: 1, sequence: sequence, due: nil)
    }

    public func inject(_ location: Location, boot: UInt64, sequence: UInt64, due: Double?) async throws {
        // Unreliable reports are not retained: the receiver must be there.
        try await settle()
        let report = Report(
            identity: ReportIdentity(instance: "conf01", boot: boot, sequence: sequence),
            draft: ReportDraft(location: location, due: due))
        var payload: [UInt8] = []
        ReportJSON.encode(report, into: &payload)
        vehicle.publish(
            OutgoingMessage(
                topic: root.topic(.location, of: remote.vehicle), payload: payload, retain: location.isReliable))
    }

    public func makeAvailable() async throws { publish(.available) }

    public func makeUnavailable(_ reason: UnavailabilityReason) async throws { publish(.unavailable(reason)) }

    private func publish(_ availability: Availability) {
        let sequence = state.withLock { vehicle in
            vehicle.availability = availability
            return vehicle.sequence
        }
        let message = AvailabilityMessage(
            vehicle: remote.vehicle, instance: "conf01", boot: 1, connection: 1, last: sequence,
            state: AvailabilityReport(availability: availability, link: .online, agent: .running))
        var payload: [UInt8] = []
        AvailabilityJSON.encode(message, into: &payload)
        vehicle.publish(
            OutgoingMessage(topic: root.topic(.availability, of: remote.vehicle), payload: payload, retain: true))
    }

    public func advance(by duration: Duration) async throws { try await advanceAction(duration) }
    public func settle() async throws {
        if let settleAction { return try await settleAction() }
        // First what the provider has still to do; then the broker keeps the order of one client's subscriptions and
        // of one publisher's messages; then what the provider makes of them.
        await drain()
        let topic = root.topic(.location, of: remote.vehicle) + "/probe"
        let number = state.withLock { vehicle in
            vehicle.probe &+= 1
            return vehicle.probe
        }
        let attachment = router.attach([Subscription(topic)]) { [weak self] event in
            guard case .message(let message) = event, message.topic == topic else { return }
            self?.arrived.withLock { $0 = message.payload }
        }
        defer { attachment.cancel() }
        let end = ContinuousClock.now + patience
        while arrived.withLock({ $0 != [number] }), ContinuousClock.now < end {
            vehicle.publish(OutgoingMessage(topic: topic, payload: [number]))
            try await Task.sleep(for: .milliseconds(5))
        }
        await drain()
    }

    /// Lets the provider do what it has to do by now.
    private func drain() async {
        if let manual = scheduler as? ManualScheduler {
            manual.runPending()
            return
        }
        await withCheckedContinuation { continuation in scheduler.enqueue { continuation.resume() } }
    }

    public func shutDown() async {
        remote.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        router.stop()
        vehicle.stop()
        await shutDownAction()
    }
}
