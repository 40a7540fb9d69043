public import Positioning

/// What is replayed, and how.
public struct ReplaySettings: Equatable, Sendable {
    /// What time the replayed fixes carry.
    public enum Time: String, Equatable, Sendable, CaseIterable {
        /// As recorded.
        case original
        /// Shifted so that the first fix is at the present.
        case now
    }

    /// What is done with the dates of an NMEA log.
    public enum Rollover: String, Equatable, Sendable, CaseIterable {
        /// As recorded, also where they are 1024 weeks early.
        case keep
        /// Put right as those of a live receiver are (G09), by when the log was written.
        case correct
    }

    /// A path: NMEA 0183, gpsd's JSON lines, GPX, CSV or a recording, told apart by content.
    public var file: String
    /// Times the recorded pace; 0: as fast as the consumer takes it.
    public let speed: Double
    /// Begins again at the end; time goes on increasing.
    public var loops: Bool
    public var time: Time
    public var rollover: Rollover

    public init(
        file: String, speed: Double = 1, loops: Bool = false, time: Time = .original, rollover: Rollover = .keep
    ) {
        self.file = file
        self.speed = speed > 0 ? speed : 0
        self.loops = loops
        self.time = time
        self.rollover = rollover
    }
}

/// Replays a recorded drive. Its end is told as unavailable (``UnavailabilityReason/providerDown``) and as a notice.
///
/// `@unchecked Sendable`: the constants are Sendable themselves; everything else is touched on the scheduler's context
/// alone, by what `slots` calls there, by timers, and by ``setPaused(_:)``, which is documented to be called there.
public final class ReplayProvider: PausableLocationProvider, @unchecked Sendable {
    /// Records between two looks at the rest of the loop's work.
    private static let batch = 64

    private let slots: CallbackSlots
    private let scheduler: any ProviderScheduler
    private let settings: ReplaySettings
    private let common: CommonProviderSettings
    private let notify: @Sendable (ProviderNotice) -> Void

    private var reader: LogReader?
    private var timeline: ReplayTimeline
    /// Read and not yet due.
    private var pending: LogRecord?
    private var pendingDue = MonotonicInstant(nanoseconds: 0)
    private var timer: (any ScheduledJob)?
    private var isStepEnqueued = false
    private var hadFix = false
    /// What was told of the log's damage; a further round tells nothing new.
    private var (toldDamage, toldEnd) = (0, false)
    private var pausedSince: MonotonicInstant?

    /// Opens the file to see whether it can be replayed, and closes it again.
    public init(
        scheduler: any ProviderScheduler, settings: ReplaySettings,
        common: CommonProviderSettings = CommonProviderSettings(),
        notify: @escaping @Sendable (ProviderNotice) -> Void = { _ in }
    ) throws(ReplayError) {
        self.scheduler = scheduler
        self.settings = settings
        self.common = common
        self.notify = notify
        slots = CallbackSlots(scheduler: scheduler)
        timeline = Self.timeline(settings)
        _ = try Self.open(settings, common)
    }

    public var lastLocation: Location? { slots.lastLocation }

    public var isPacedByConsumer: Bool { settings.speed == 0 }

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            isActive ? self?.open() : self?.close()
        }
    }

    /// Does nothing: a log has the accuracy it was recorded with (rule 9).
    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {}

    public func setPaused(_ paused: Bool) {
        if paused, pausedSince == nil {
            pausedSince = scheduler.now
        } else if !paused, let since = pausedSince {
            pausedSince = nil
            let pause = scheduler.now - since
            timeline.standStill(pause)
            pendingDue = pendingDue + pause
            timer?.cancel()
            enqueueStep()
        }
    }

    private static func timeline(_ settings: ReplaySettings) -> ReplayTimeline {
        ReplayTimeline(speed: settings.speed, startsNow: settings.time == .now)
    }

    private static func open(
        _ settings: ReplaySettings, _ common: CommonProviderSettings
    ) throws(ReplayError) -> LogReader {
        try LogReader(settings, common: common)
    }

    private func open() {
        timeline = Self.timeline(settings)
        (pending, hadFix, toldDamage, toldEnd) = (nil, false, 0, false)
        do {
            reader = try Self.open(settings, common)
            enqueueStep()
        } catch {
            fail(error)
        }
    }

    private func close() {
        timer?.cancel()
        (reader, pending, timer) = (nil, nil, nil)
    }

    private func enqueueStep() {
        guard reader != nil, !isStepEnqueued else { return }
        isStepEnqueued = true
        scheduler.enqueue { [weak self] in
            self?.isStepEnqueued = false
            self?.step()
        }
    }

    /// Delivers what is due, a batch at most.
    private func step() {
        tellDamage(atEnd: false)
        for _ in 0..<Self.batch {
            guard reader != nil, pausedSince == nil else { return }
            if let record = pending {
                guard pendingDue <= scheduler.now else { return wait() }
                pending = nil
                deliver(record)
                continue
            }
            guard let record = nextRecord() else { return }
            if settings.speed > 0 {
                pendingDue = timeline.due(record.time, now: scheduler.now)
                if pendingDue > scheduler.now {
                    pending = record
                    return wait()
                }
            } else {
                _ = timeline.due(record.time, now: pendingDue)
            }
            deliver(record)
        }
        enqueueStep()
    }

    private func wait() {
        timer?.cancel()
        timer = scheduler.schedule(at: pendingDue) { [weak self] in self?.step() }
    }

    /// The next record; `nil` at the end, which it tells, and between two rounds.
    private func nextRecord() -> LogRecord? {
        do {
            if let record = try reader?.next() { return record }
            tellDamage(atEnd: true)
            // A log without a single fix would go round for nothing.
            guard settings.loops, hadFix else {
                end()
                return nil
            }
            reader = try Self.open(settings, common)
            timeline.beginAgain()
            enqueueStep()
        } catch {
            fail(error)
        }
        return nil
    }

    private func deliver(_ record: LogRecord) {
        switch record.event {
        case .noFix: slots.report(.unavailable(.noFix))
        case .lost: slots.report(.unavailable(.providerDown))
        case .fix(var location):
            hadFix = true
            location.timestamp = timeline.stamp(location.timestamp, pace: record.time, utcNow: scheduler.utcNow)
            location.source = "replay"
            common.assumption.apply(to: &location)
            slots.report(.available)
            slots.deliver(location)
        }
    }

    /// Tells the first damaged lines as they come, and at the log's end how many there were.
    private func tellDamage(atEnd: Bool) {
        guard let reader else { return }
        let damage = reader.damage
        while toldDamage < damage.lines.count {
            notify(.skipped(file: settings.file, line: damage.lines[toldDamage]))
            toldDamage += 1
        }
        guard atEnd else { return }
        if damage.count > UInt64(toldDamage), !toldEnd {
            notify(.skippedInAll(file: settings.file, count: damage.count))
        }
        if reader.isCutOff, !toldEnd { notify(.cutOff(file: settings.file)) }
        toldEnd = true
    }

    private func end() {
        close()
        slots.report(.unavailable(.providerDown))
        notify(.ended(file: settings.file))
    }

    private func fail(_ error: ReplayError) {
        close()
        slots.report(.unavailable(.providerDown))
        notify(.failed(error))
    }
}
