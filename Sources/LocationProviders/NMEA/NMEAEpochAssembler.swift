internal import Positioning

/// Puts the sentences of one epoch together: however many a receiver sends, by however many talkers and in whatever
/// order, one position comes out (or the news that there is none). Pure.
///
/// An epoch ends
/// - with the sentence that the stream's rhythm (``NMEACycle``) shows to be its last, without delay; only where a clock
///   drives the assembler;
/// - else with the first sentence of another time;
/// - else at ``deadline``: after ``NMEACycle/patience`` without a sentence.
struct NMEAEpochAssembler: Sendable {
    /// Times that differ by less are one: talkers round differently. 25 Hz is 40 ms.
    private static let tolerance: Int32 = 10
    /// Nanoseconds: a longer silence is between epochs.
    private static let longestPause: Int64 = 250_000_000
    private static let shortestInterval: Int64 = 50_000_000

    /// User equivalent range error in metres, 68 %.
    let uere: Double
    private(set) var calendar: NMEACalendar
    private(set) var cycle = NMEACycle()
    private(set) var view = NMEASatellitesInView()
    /// When the open epoch ends if no sentence ends it before; `nil` where nothing is open.
    private(set) var deadline: MonotonicInstant?

    private var open = NMEAOpenEpoch()
    private var openedAt = MonotonicInstant(nanoseconds: 0)
    private var told: Told?
    /// Whether the next sentence, unless it is late, begins another epoch.
    private var isBetween = false
    /// A GST of another time than the open epoch's waits for its own.
    private var early: NMEASentence.GST?
    /// What GSA said last, and at what time of day.
    private var precision: (NMEAPrecision, time: Int32)?
    /// Told since the last epoch, by an instrument with a rhythm of its own.
    private var heading: Double?
    private var lastSentence: MonotonicInstant?
    /// Whether the clock ever moved: a log that is read without one has no rhythm in time.
    private var hasClock = false

    /// The epoch told last, to which late sentences may still belong.
    private struct Told: Sendable {
        var time: Int32?
        var hadFix: Bool
        /// Whether the stream's rhythm ended it.
        var byCycle: Bool
    }

    init(uere: Double, dates: NMEADateRule) {
        self.uere = uere
        calendar = NMEACalendar(rule: dates)
    }

    /// Takes a sentence; tells the epochs that it ends.
    @inline(__always)
    mutating func add(
        _ sentence: NMEASentence, _ talker: NMEATalker, now: MonotonicInstant, utc: UTCInstant?,
        _ body: (NMEAEpoch) -> Void
    ) {
        let silence = lastSentence.map { now.nanoseconds(since: $0) } ?? 0
        if silence != 0 { hasClock = true }
        lastSentence = now
        // Another burst: what comes now is of the next epoch.
        if isBetween, silence >= min(cycle.interval / 4, Self.longestPause) { beginCycle() }
        let kind: NMEACycle.Kind
        switch sentence {
        case .rmc(let rmc):
            kind = .rmc
            guard begin(rmc.time, isValid: rmc.isValid, kind, now, utc, body) else { return }
        case .gga(let gga):
            kind = .gga
            guard begin(gga.time, isValid: gga.quality > 0, kind, now, utc, body) else { return }
        case .gns(let gns):
            kind = .gns
            guard begin(gns.time, isValid: gns.mode != nil, kind, now, utc, body) else { return }
        case .gll(let gll):
            kind = .gll
            guard begin(gll.time, isValid: gll.isValid, kind, now, utc, body) else { return }
        case .gst(let gst):
            kind = .gst
            if let time = gst.time, let epoch = open.time ?? told?.time, !Self.isSame(time, epoch) {
                early = gst
                return wait(now)
            }
            guard join(kind, now, utc, body) else { return }
        case .vtg:
            kind = .vtg
            guard join(kind, now, utc, body) else { return }
        case .gsa:
            kind = .gsa
            guard join(kind, now, utc, body) else { return }
        case .gsv(let gsv):
            view.note(gsv, talker)
            return wait(now)
        case .zda(let zda):
            calendar.note(zda, now: now, utc: utc)
            return wait(now)
        case .heading(let heading):
            self.heading = heading.degrees
            return
        }
        open.add(sentence, talker)
        if cycle.note(kind), hasClock, open.isTold {
            if let epoch = end(now: now, utc: utc, byCycle: true) { body(epoch) }
        } else {
            wait(now)
        }
    }

    /// Ends the open epoch where its deadline has come.
    mutating func deadlinePassed(now: MonotonicInstant, utc: UTCInstant?) -> NMEAEpoch? {
        guard let deadline, deadline <= now else { return nil }
        return end(now: now, utc: utc)
    }

    /// Ends the open epoch: nothing more comes. What comes next is another stream, or the same one later.
    mutating func finish(utc: UTCInstant?) -> NMEAEpoch? {
        let epoch = end(now: lastSentence ?? MonotonicInstant(nanoseconds: 0), utc: utc)
        cycle = NMEACycle()
        (open, told, isBetween, early) = (NMEAOpenEpoch(), nil, false, nil)
        (precision, heading, lastSentence, hasClock) = (nil, nil, nil, false)
        return epoch
    }

    private static func isSame(_ a: Int32, _ b: Int32) -> Bool { abs(a - b) <= tolerance }

    /// Opens the epoch of `time`, unless it is open; false when the sentence belongs to an epoch that was told.
    /// Receivers that do not know the time send void sentences without one: each stands for itself, or the loss of fix
    /// would never be told.
    @inline(__always)
    private mutating func begin(
        _ time: Int32?, isValid: Bool, _ kind: NMEACycle.Kind, _ now: MonotonicInstant, _ utc: UTCInstant?,
        _ body: (NMEAEpoch) -> Void
    ) -> Bool {
        if let time {
            if let current = open.time, Self.isSame(time, current) { return true }
            if let last = told?.time, Self.isSame(time, last) {
                late(time, isValid: isValid, kind, now, utc, body)
                return false
            }
        }
        if open.isTold, let epoch = end(now: now, utc: utc) { body(epoch) }
        beginCycle()
        // What came before the first timed sentence belongs to it.
        open.time = time
        openedAt = now
        if let time {
            cycle.note(time: time)
            if let waiting = early {
                if let own = waiting.time, Self.isSame(own, time) { open.add(.gst(waiting), .combined) }
                early = nil
            }
        }
        return true
    }

    /// A timed sentence of the epoch that was told. Some receivers' time stands still when they lose the fix.
    private mutating func late(
        _ time: Int32, isValid: Bool, _ kind: NMEACycle.Kind, _ now: MonotonicInstant, _ utc: UTCInstant?,
        _ body: (NMEAEpoch) -> Void
    ) {
        if isBetween { cycle.noteLate(kind, wasKnown: told?.byCycle == true) }
        if !isValid, !open.isTold, told?.hadFix == true {
            told?.hadFix = false
            body(.noFix(calendar.stamp(time: time, day: nil, now: now, utc: utc)))
        }
    }

    /// A sentence without time joins the open epoch, or the next; false when it belongs to the epoch that was told.
    @inline(__always)
    private mutating func join(
        _ kind: NMEACycle.Kind, _ now: MonotonicInstant, _ utc: UTCInstant?, _ body: (NMEAEpoch) -> Void
    ) -> Bool {
        if let deadline, deadline <= now, hasClock, let epoch = end(now: now, utc: utc) {
            body(epoch)
            beginCycle()
        }
        guard isBetween, hasClock else { return true }
        cycle.noteLate(kind, wasKnown: told?.byCycle == true)
        return false
    }

    private mutating func beginCycle() {
        guard isBetween else { return }
        isBetween = false
        cycle.begin()
    }

    private mutating func wait(_ now: MonotonicInstant) {
        guard open.isTold else { return }
        // However much else is in the stream, the next epoch begins an interval later.
        let next = openedAt.advanced(byNanoseconds: max(cycle.interval, Self.shortestInterval))
        deadline = min(now.advanced(byNanoseconds: cycle.patience), next)
    }

    /// GSA counts for the epochs after it too, where they have none: no longer than a while, and not past the loss of fix.
    private mutating func holdPrecision() {
        guard let time = open.time else { return }
        if open.precision.dimension > 0 {
            precision = open.hasFix ? (open.precision, time) : nil
        } else if let (known, since) = precision {
            if open.hasFix, time >= since, time - since <= NMEAPrecision.lifetime {
                open.hold(known)
            } else {
                precision = nil
            }
        }
    }

    private mutating func end(now: MonotonicInstant, utc: UTCInstant?, byCycle: Bool = false) -> NMEAEpoch? {
        deadline = nil
        guard open.isTold else { return nil }
        let time = open.time
        let timestamp = time.flatMap { calendar.stamp(time: $0, day: open.day, now: now, utc: utc) }
        holdPrecision()
        let location = open.location(uere: uere)
        told = Told(time: time, hadFix: location != nil, byCycle: byCycle)
        isBetween = true
        open = NMEAOpenEpoch()
        view.endEpoch()
        guard var location else { return .noFix(timestamp) }
        location.timestamp = timestamp
        location.heading = heading
        heading = nil
        return .fix(location)
    }
}
