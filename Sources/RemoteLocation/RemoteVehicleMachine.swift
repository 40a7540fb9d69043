public import FleetWire
public import Positioning

/// What a receiver knows of one vehicle, made from its messages: a pure machine.
///
/// Reports are merged by identity (WIRE.md, Identity): whatever the lane and the order of arrival, an older report never
/// moves the current position back, and a repeated one is dropped. An instance is introduced by its birth; a late will,
/// report or backlog of an earlier one is refused. Availability is what the vehicle says, covered by what its receiver
/// sees: its own link to the broker, a refused subscription, and the next report overdue.
///
/// The receiver's link is `unknown` until the first connection or failure, then `up` or `down`. After each connection
/// the vehicle's word counts again once a message of it came; until then what was told last stays.
public struct RemoteVehicleMachine: Sendable {
    /// How a report came.
    public enum Lane: Sendable {
        /// On the location topic, as it was published.
        case live
        /// On the location topic, kept by the broker from before: last known, no news.
        case retained
        /// On the track topic.
        case track
    }

    /// What to tell after an event: the availability first.
    public struct Outcome: Equatable, Sendable {
        /// The availability where it changed.
        public var availability: Availability?
        /// A report that is newer than all before.
        public var position: Position?
        /// Why the message changed nothing.
        public var refusal: Refusal?

        public init(availability: Availability? = nil, position: Position? = nil, refusal: Refusal? = nil) {
            self.availability = availability
            self.position = position
            self.refusal = refusal
        }
    }

    public enum Position: Equatable, Sendable {
        /// Just made: deliver it.
        case news(Report)
        /// Made before this receiver came: remember it.
        case lastKnown(Report)
    }

    public enum Refusal: Equatable, Sendable {
        /// This very report is known.
        case duplicate
        /// Made before what is known.
        case outdated
        /// Of another vehicle, or of an instance that was never introduced or has been displaced.
        case foreign
        /// Dated more than five minutes ahead of this receiver's trusted clock.
        case fromFuture
    }

    private enum Link { case unknown, up, down }

    /// The highest (boot, connection) heard of an instance.
    private struct Instance {
        var name: String
        var boot: UInt64
        var connection: UInt64
    }

    private struct Newest {
        var identity: ReportIdentity
        /// Within which the next report comes at the latest.
        var due: Duration?
    }

    /// How far ahead of the own clock a report may be dated.
    public static let futureTolerance = Duration.seconds(300)
    /// What a living vehicle is given until its next report where the last one's promise has run out: the least slack.
    static let grace = Duration.seconds(15)
    private static let instanceLimit = 8

    public let vehicle: VehicleID
    private var link = Link.unknown
    private var isDenied = false
    private var isSynchronized = false
    /// The instances heard of, the current one last.
    private var instances: [Instance] = []
    private var stated: AvailabilityMessage?
    private var newest: Newest?
    private var hasLiveReport = false
    private var deadline: MonotonicInstant?
    /// The smallest (arrival - time) over live reports of one boot, milliseconds: the vehicle's clock on this one.
    private var clockDelay: (boot: UInt64, milliseconds: Int64)?
    /// As told last.
    public private(set) var availability = Availability.unknown

    public init(vehicle: VehicleID) { self.vehicle = vehicle }

    /// The vehicle's last word about itself.
    public var lastMessage: AvailabilityMessage? { stated }

    /// When ``deadlinePassed(now:)`` is to be called.
    public var nextDeadline: MonotonicInstant? { availability == .available ? deadline : nil }

    // MARK: The receiver's own link

    /// This receiver is connected and has subscribed.
    public mutating func linkUp(now: MonotonicInstant) -> Outcome {
        link = .up
        isSynchronized = false
        isDenied = false
        return Outcome(availability: compose(now))
    }

    /// This receiver has lost the broker or cannot reach it.
    public mutating func linkDown(now: MonotonicInstant) -> Outcome {
        link = .down
        return Outcome(availability: compose(now))
    }

    /// The broker lets this receiver read nothing of the vehicle.
    public mutating func subscriptionRefused(now: MonotonicInstant) -> Outcome {
        isDenied = true
        return Outcome(availability: compose(now))
    }

    /// Tracking starts anew: what is known of the vehicle's reports stays, its availability is unknown.
    public mutating func reopen() {
        link = .unknown
        isDenied = false
        isSynchronized = false
        stated = nil
        availability = .unknown
    }

    public mutating func deadlinePassed(now: MonotonicInstant) -> Outcome { Outcome(availability: compose(now)) }

    // MARK: Reports

    /// A report came on `lane`; `utc` is this receiver's wall clock, where it can be trusted.
    public mutating func receive(
        _ report: Report, _ lane: Lane, now: MonotonicInstant, utc: UTCInstant?
    ) -> Outcome {
        var report = report
        date(&report)
        if let utc, let time = report.location.timestamp, time > utc + Self.futureTolerance {
            return Outcome(refusal: .fromFuture)
        }
        guard belongs(report.identity, lane) else { return Outcome(refusal: .foreign) }
        if lane == .live {
            isSynchronized = true
            noteClock(report, utc)
        }
        if let newest {
            if newest.identity == report.identity {
                // A live one that comes again says that the vehicle lives.
                if lane == .live, let due = newest.due { extend(to: now + due) }
                return Outcome(availability: compose(now), refusal: .duplicate)
            }
            if report.identity.isBefore(newest.identity) != false {
                return Outcome(availability: compose(now), refusal: .outdated)
            }
        }
        let due = report.draft.due.flatMap(promise)
        newest = Newest(identity: report.identity, due: due)
        deadline = due.map { now + ($0 + shift(report, lane, utc)) }
        let isNews = lane == .live || lane == .track && hasLiveReport
        if lane == .live { hasLiveReport = true }
        return Outcome(availability: compose(now), position: isNews ? .news(report) : .lastKnown(report))
    }

    /// Dates a report that knows only its uptime, where the vehicle has learned the time since (WIRE.md, `clockOffset`).
    private func date(_ report: inout Report) {
        guard report.location.timestamp == nil, let uptime = report.draft.uptime.flatMap(promise), let stated,
            stated.instance == report.identity.instance, stated.boot == report.identity.boot,
            let offset = stated.clockOffset
        else { return }
        report.draft.location.timestamp = offset + uptime
    }

    private mutating func belongs(_ identity: ReportIdentity, _ lane: Lane) -> Bool {
        if let current = instances.last, current.name == identity.instance { return true }
        // Before any word of the vehicle, its reports introduce it; a live one also displaces what they introduced.
        guard instances.isEmpty || stated == nil && lane == .live else { return false }
        guard !instances.contains(where: { $0.name == identity.instance }) else { return false }
        introduce(Instance(name: identity.instance, boot: identity.boot, connection: 0))
        return true
    }

    private mutating func noteClock(_ report: Report, _ utc: UTCInstant?) {
        guard let utc, let time = report.location.timestamp else { return }
        let delay = utc.milliseconds - time.milliseconds
        if let known = clockDelay, known.boot == report.identity.boot, known.milliseconds <= delay { return }
        clockDelay = (report.identity.boot, delay)
    }

    /// What brings a deadline counted from arrival to the one counted from the report's own time.
    private func shift(_ report: Report, _ lane: Lane, _ utc: UTCInstant?) -> Duration {
        guard lane != .live, let utc, let time = report.location.timestamp else { return .zero }
        let delay = clockDelay.map { $0.boot == report.identity.boot ? $0.milliseconds : 0 } ?? 0
        return min(.zero, time - utc + .milliseconds(delay))
    }

    private mutating func extend(to instant: MonotonicInstant) {
        if let deadline, deadline < instant { self.deadline = instant }
    }

    // MARK: Availability

    public mutating func receive(
        _ message: AvailabilityMessage, isRetained: Bool, now: MonotonicInstant
    ) -> Outcome {
        if message.vehicle != vehicle { return Outcome(refusal: .foreign) }
        let heard = Instance(name: message.instance, boot: message.boot, connection: message.connection)
        if let index = instances.firstIndex(where: { $0.name == message.instance }) {
            let known = (instances[index].boot, instances[index].connection)
            let isNewer = (message.boot, message.connection) > known
            if index == instances.count - 1 {
                guard isNewer || (message.boot, message.connection) == known else {
                    return Outcome(refusal: .outdated)
                }
                instances[index] = heard
            } else {
                // Displaced; it comes back by a birth of its own only.
                guard isNewer, !message.isWill else { return Outcome(refusal: .foreign) }
                instances.remove(at: index)
                introduce(heard)
            }
        } else {
            guard instances.isEmpty || !message.isWill else { return Outcome(refusal: .foreign) }
            introduce(heard)
        }
        stated = message
        isSynchronized = true
        if !isRetained, message.state.availability.isAvailable { extend(to: now + Self.grace) }
        return Outcome(availability: compose(now))
    }

    /// Makes an instance the current one.
    private mutating func introduce(_ instance: Instance) {
        if instances.count == Self.instanceLimit { instances.removeFirst() }
        instances.append(instance)
        stated = nil
        newest = nil
        hasLiveReport = false
        deadline = nil
        clockDelay = nil
    }

    /// The availability as a reader sees it; returns it where it changed.
    private mutating func compose(_ now: MonotonicInstant) -> Availability? {
        let composed: Availability
        if isDenied {
            composed = .unavailable(.permissionDenied)
        } else if link == .down {
            composed = .unavailable(.linkLost)
        } else if !isSynchronized {
            composed = availability
        } else if let stated {
            let isOverdue = deadline.map { $0 <= now } ?? false
            composed =
                isOverdue && stated.state.availability.isAvailable
                ? .unavailable(.stale) : stated.state.availability
        } else {
            composed = .unknown
        }
        guard composed != availability else { return nil }
        availability = composed
        return composed
    }
}

/// A promise in seconds that is one: about 30 years at most.
private func promise(_ due: Double) -> Duration? { due >= 0 && due <= 1e9 ? .seconds(due) : nil }
