internal import FleetWire
internal import MessageTransport
internal import Positioning
internal import RemoteLocation

/// The vehicles that are watched and what their messages come to: one machine each, made when it is first heard of.
struct WatchedVehicles {
    /// More vehicles than these are not followed: whoever may publish below the root could invent any number.
    static let limit = 100_000

    let root: TopicRoot
    /// `nil`: all.
    let vehicle: VehicleID?
    private var machines: [VehicleID: RemoteVehicleMachine] = [:]
    private var isConnected = false

    init(root: TopicRoot, vehicle: VehicleID?) {
        self.root = root
        self.vehicle = vehicle
        if let vehicle { machines[vehicle] = RemoteVehicleMachine(vehicle: vehicle) }
    }

    /// What to subscribe to on each connection. Of many vehicles the state topics come at QoS 0: brokers bound the queue
    /// of retained messages at QoS 1 far below a fleet's size.
    var subscriptions: [Subscription] {
        if let vehicle {
            return [.availability, .location, .track].map { Subscription(root.topic($0, of: vehicle)) }
        }
        return [
            Subscription(root.filter(.availability), qos: .atMostOnce),
            Subscription(root.filter(.location), qos: .atMostOnce), Subscription(root.filter(.track)),
        ]
    }

    /// When a vehicle's next report is overdue.
    func deadline(of vehicle: VehicleID) -> MonotonicInstant? { machines[vehicle]?.nextDeadline }

    enum Problem: Error, Equatable {
        case malformed(WireError)
        case tooMany
    }

    /// Takes a message; returns the vehicle that it was about and what there is to show.
    mutating func receive(
        _ message: IncomingMessage, now: MonotonicInstant, utc: UTCInstant, trusted: UTCInstant?
    ) throws(Problem) -> (vehicle: VehicleID, events: [WatchEvent])? {
        guard let (id, kind) = root.parse(message.topic), vehicle == nil || vehicle == id else { return nil }
        let decoded: RemoteMessage
        do throws(WireError) {
            guard let known = try RemoteMessage(message, kind) else { return nil }
            decoded = known
        } catch {
            throw .malformed(error)
        }
        if machines[id] == nil {
            guard machines.count < Self.limit else { throw .tooMany }
            var machine = RemoteVehicleMachine(vehicle: id)
            if isConnected { _ = machine.linkUp(now: now) }
            machines[id] = machine
        }
        var stated: AvailabilityReport?
        if case .availability(let message, _) = decoded { stated = message.state }
        var events: [WatchEvent] = []
        machines[id]?.receive(decoded, now: now, utc: trusted) { outcome in
            // The vehicle's own word has a time of its own; what this side concludes is true from now on.
            let since = outcome.availability == stated?.availability ? stated?.since : nil
            events += outcome.events(id, since ?? utc)
        }
        return (id, events)
    }

    /// A vehicle's deadline may have passed.
    mutating func deadlinePassed(_ vehicle: VehicleID, now: MonotonicInstant, utc: UTCInstant) -> [WatchEvent] {
        machines[vehicle]?.deadlinePassed(now: now).events(vehicle, utc) ?? []
    }

    /// The connection to the broker came or went.
    mutating func linkChanged(isUp: Bool, now: MonotonicInstant, utc: UTCInstant) -> [WatchEvent] {
        isConnected = isUp
        return machines.keys.sorted { $0.text < $1.text }.flatMap { id in
            let outcome = isUp ? machines[id]?.linkUp(now: now) : machines[id]?.linkDown(now: now)
            return outcome?.events(id, utc) ?? []
        }
    }
}

extension RemoteVehicleMachine.Outcome {
    fileprivate func events(_ id: VehicleID, _ time: UTCInstant) -> [WatchEvent] {
        var events: [WatchEvent] = []
        if let availability { events.append(.availability(id, availability, time)) }
        switch position {
        case .news(let report): events.append(.position(id, report, isLastKnown: false))
        case .lastKnown(let report): events.append(.position(id, report, isLastKnown: true))
        case nil: break
        }
        return events
    }
}
