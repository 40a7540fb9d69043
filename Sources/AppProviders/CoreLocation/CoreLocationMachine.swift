internal import Positioning

/// What the CoreLocation provider knows and decides (SEMANTICS rules 12 and 13): pure. The driver tells what happened
/// and performs what comes back.
struct CoreLocationMachine: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// Nobody tracks. Becomes asking, running or refused.
        case idle
        /// The user is being asked, or will be. Becomes running, refused or idle.
        case asking
        /// Updates come. Becomes refused, asking or idle.
        case running
        /// The program may not know. Becomes running, asking or idle.
        case refused
    }

    enum Command: Equatable, Sendable {
        case requestAuthorization
        case startUpdating
        case stopUpdating
    }

    /// What an event led to, to be performed from the first to the last.
    struct Actions: Equatable, Sendable {
        var commands: [Command] = []
        var availability: Availability?
        /// Whether the positions that came are to be delivered.
        var delivers = false
        var warning: CoreLocationWarning?
    }

    /// Nanoseconds for which "location unknown" is passed over.
    private let patience: Int64
    private(set) var state = State.idle
    private var authorization: CoreLocationAuthorization
    /// Since when there is no position; `nil` while there are, and once that was told.
    private var unknownSince: MonotonicInstant?
    /// Whether it was told that there is none.
    private var isLost = false

    init(authorization: CoreLocationAuthorization, patience: Duration) {
        self.authorization = authorization
        self.patience = patience.wholeNanoseconds
    }

    /// When ``deadlinePassed(now:)`` is next to be called; calling it too early does no harm.
    var deadline: MonotonicInstant? { state == .running ? unknownSince?.advanced(byNanoseconds: patience) : nil }

    /// Somebody tracks. Starting twice is starting once.
    mutating func start() -> Actions { state == .idle ? follow() : Actions() }

    /// Nobody tracks any more. Stopping twice is stopping once.
    mutating func stop() -> Actions {
        defer { become(.idle) }
        return Actions(commands: state == .running ? [.stopUpdating] : [])
    }

    mutating func authorizationChanged(_ authorization: CoreLocationAuthorization) -> Actions {
        self.authorization = authorization
        return state == .idle ? Actions() : follow()
    }

    mutating func failed(_ failure: CoreLocationFailure, now: MonotonicInstant) -> Actions {
        guard state == .running else { return Actions() }
        switch failure {
        case .locationUnknown:
            if unknownSince == nil, !isLost { unknownSince = now }
            return Actions()
        case .denied:
            // The change of authorization is told apart, before or after this.
            return refuse()
        case .other(let code): return Actions(warning: .failed(code: code))
        }
    }

    /// Positions came together, oldest to newest.
    ///
    /// - Parameter isUsable: whether the last one says how accurate it is.
    mutating func updated(count: Int, isUsable: Bool) -> Actions {
        // What was under way when updates were stopped is no news.
        guard state == .running else { return Actions() }
        guard count > 0 else { return Actions(warning: .emptyBatch) }
        if isUsable { (unknownSince, isLost) = (nil, false) }
        return Actions(availability: isUsable ? .available : nil, delivers: true)
    }

    mutating func deadlinePassed(now: MonotonicInstant) -> Actions {
        guard let deadline, deadline <= now else { return Actions() }
        (unknownSince, isLost) = (nil, true)
        return Actions(availability: .unavailable(.noFix))
    }

    /// Goes where the authorization leads, while somebody tracks.
    private mutating func follow() -> Actions {
        let isRunning = state == .running
        if authorization.isGranted {
            if isRunning { return Actions() }
            become(.running)
            return Actions(commands: [.startUpdating])
        }
        if authorization.isRefused { return refuse() }
        if state == .asking { return Actions() }
        become(.asking)
        return Actions(
            commands: isRunning ? [.stopUpdating, .requestAuthorization] : [.requestAuthorization],
            availability: isRunning ? .unavailable(.permissionDenied) : nil)
    }

    private mutating func refuse() -> Actions {
        defer { become(.refused) }
        return Actions(
            commands: state == .running ? [.stopUpdating] : [], availability: .unavailable(.permissionDenied))
    }

    private mutating func become(_ state: State) { (self.state, unknownSince, isLost) = (state, nil, false) }
}
