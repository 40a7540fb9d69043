public import Positioning
internal import Synchronization

/// A source that the program itself feeds (S3's GPS manager, SEMANTICS rule 14): ``open()``, ``push(_:)-(Location)``,
/// ``close()``.
///
/// The first position pushed makes it available, unless the program says by ``setAvailability(_:)`` how it is; closed,
/// it is unavailable. Everything may be called from any thread; positions are delivered in the order in which they
/// were pushed.
public final class PushLocationProvider: LocationProvider {
    private struct Source {
        var isOpen = false
        var current: Location?
        var availability: Availability = .unknown
        /// Whether the program said so itself: then no position changes it.
        var isDeclared = false
        var accuracy: DesiredAccuracy?
    }

    private let scheduler: any ProviderScheduler
    private let slots: CallbackSlots
    private let source = Mutex(Source())

    /// - Parameter scheduler: where the callbacks are called.
    public init(scheduler: any ProviderScheduler) {
        self.scheduler = scheduler
        slots = CallbackSlots(scheduler: scheduler)
    }

    // MARK: Feeding

    public var isOpen: Bool { source.withLock { $0.isOpen } }

    /// The position pushed last since the source was opened; `nil` before that, and when it is closed.
    public var currentPosition: Location? { source.withLock { $0.current } }

    /// Lets positions in. Opening an open source does nothing.
    public func open() {
        source.withLock { source in
            if !source.isOpen { (source.isOpen, source.isDeclared) = (true, false) }
        }
    }

    /// Forgets ``currentPosition`` and makes the source unavailable, `stopped`; ``lastLocation`` stays. Closing a closed
    /// source does nothing.
    public func close() {
        source.withLock { source in
            guard source.isOpen else { return }
            (source.isOpen, source.isDeclared, source.current) = (false, false, nil)
            report(.unavailable(.stopped), &source)
        }
    }

    /// Makes a position the current one and delivers it to whoever tracks.
    public func push(_ location: Location) throws(PushError) {
        try source.withLock { source throws(PushError) in
            try take(location, &source)
            scheduler.enqueue { [slots] in slots.deliver(location) }
        }
    }

    /// Takes positions that came together: the last becomes the current one, and all are delivered, oldest first
    /// (rule 12).
    public func push(_ batch: LocationBatch) throws(PushError) {
        try source.withLock { source throws(PushError) in
            try take(batch.current, &source)
            scheduler.enqueue { [slots] in slots.deliver(batch) }
        }
    }

    /// Says whether and why not current positions can be had; it stays so, whatever is pushed, until it is said anew or
    /// the source is closed or opened. Without effect on a closed source.
    public func setAvailability(_ availability: Availability) {
        source.withLock { source in
            guard source.isOpen else { return }
            source.isDeclared = true
            report(availability, &source)
        }
    }

    /// The hint given last, for the program to heed; `nil` where none was given.
    public var desiredAccuracy: DesiredAccuracy? { source.withLock { $0.accuracy } }

    // MARK: Tracking

    public var lastLocation: Location? { slots.lastLocation }

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            guard let self, isActive else { return }
            slots.report(source.withLock { $0.availability })
        }
    }

    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) { source.withLock { $0.accuracy = accuracy } }

    private func take(_ location: Location, _ source: inout Source) throws(PushError) {
        guard source.isOpen else { throw .closed }
        source.current = location
        guard !source.isDeclared else { return }
        report(location.fix == .none ? .unavailable(.noFix) : .available, &source)
    }

    /// Under the lock, so that reports keep their order.
    private func report(_ availability: Availability, _ source: inout Source) {
        guard source.availability != availability else { return }
        source.availability = availability
        scheduler.enqueue { [slots] in slots.report(availability) }
    }
}
