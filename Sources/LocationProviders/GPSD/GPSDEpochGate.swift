internal import Positioning

/// Lets one position of each epoch through, as complete as the device's epochs are: pure.
///
/// Most receivers' epochs come from gpsd in one report, and that goes through at once. Some come in several, for ever
/// (a first without course and with a speed that gpsd made up, the next with the receiver's own): then the first waits
/// until the epoch has what the one before had, for half the epochs' interval and at most ``patience``. So does the
/// very first report of a device when it lacks an accuracy. What comes later still is remembered, not told.
struct GPSDEpochGate: Equatable, Sendable {
    enum Decision: Equatable, Sendable {
        case tell(Location)
        /// It waits for the rest of its epoch.
        case wait
        /// Its epoch is told already: it only completes what is known.
        case remember(Location)
    }

    /// What an epoch may have or not.
    private struct Content: OptionSet {
        let rawValue: UInt8
        static let accuracy = Content(rawValue: 1)
        static let altitude = Content(rawValue: 2)
        static let speed = Content(rawValue: 4)
        static let course = Content(rawValue: 8)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ location: Location) {
            self = []
            if location.horizontalAccuracy != nil { insert(.accuracy) }
            if location.altitude != nil { insert(.altitude) }
            if location.speed != nil { insert(.speed) }
            if location.course != nil { insert(.course) }
        }
    }

    /// Nanoseconds that a position waits at most.
    static let patience: Int64 = 500_000_000

    /// The open epoch.
    private var time: UTCInstant?
    private var begun = MonotonicInstant(nanoseconds: 0)
    private var first: Content = []
    private var content: Content = []
    private var reports = 0
    private var held: Location?
    /// What the epoch before came to.
    private var expected: Content = .accuracy
    private var expectedReports = Int.max
    private var wait = GPSDEpochGate.patience

    /// When ``expire(now:)`` has a position to tell.
    var deadline: MonotonicInstant? {
        guard case .some = held else { return nil }
        return begun.advanced(byNanoseconds: wait)
    }

    /// The first position of an epoch. Call ``flush()`` before: the epoch before ends with it.
    mutating func begin(_ location: Location, now: MonotonicInstant) -> Decision {
        guard let time = location.timestamp else { return .tell(location) }
        if let last = self.time { learn(from: last, to: time) }
        (self.time, begun, reports) = (time, now, 1)
        first = Content(location)
        content = first
        if content.isSuperset(of: expected) { return .tell(location) }
        held = location
        return .wait
    }

    /// The epoch's position with what a further report made of it.
    mutating func refine(_ location: Location, now: MonotonicInstant) -> Decision {
        // What comes too late is not worth waiting for in the next epoch.
        if now.nanoseconds(since: begun) <= wait {
            content = Content(location)
            reports += 1
        }
        guard held != nil else { return .remember(location) }
        if content.isSuperset(of: expected) || reports >= expectedReports {
            held = nil
            return .tell(location)
        }
        held = location
        return .wait
    }

    /// A further report that changed nothing; returns the position that waited for it.
    mutating func countRepeated() -> Location? {
        reports += 1
        return reports >= expectedReports ? flush() : nil
    }

    /// The position that waited long enough.
    mutating func expire(now: MonotonicInstant) -> Location? {
        guard let deadline, deadline <= now else { return nil }
        return flush()
    }

    /// The position that waits: nothing more comes of its epoch.
    mutating func flush() -> Location? {
        defer { held = nil }
        return held
    }

    private mutating func learn(from last: UTCInstant, to time: UTCInstant) {
        let isSplit = reports > 1 && content != first
        (expected, expectedReports) = isSplit ? (content, reports) : ([], .max)
        let interval = time.milliseconds &- last.milliseconds
        if interval > 0, interval <= 10_000 { wait = min(Self.patience, interval * 500_000) }
    }
}
