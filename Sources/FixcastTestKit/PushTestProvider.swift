public import Positioning
internal import Synchronization

/// A provider whose positions a test pushes: the reference implementation over ``CallbackSlots``.
public final class PushTestProvider: LocationProvider {
    private struct Source {
        var isOpen = false
        var availability: Availability = .unknown
        var accuracy: DesiredAccuracy?
        var warnings = 0
    }

    private let scheduler: any ProviderScheduler
    private let slots: CallbackSlots
    private let source = Mutex(Source())

    public init(scheduler: any ProviderScheduler) {
        self.scheduler = scheduler
        slots = CallbackSlots(scheduler: scheduler)
    }

    /// Whether somebody tracks.
    public var isOpen: Bool { source.withLock { $0.isOpen } }

    /// The hint given last.
    public var desiredAccuracy: DesiredAccuracy? { source.withLock { $0.accuracy } }

    public var lastLocation: Location? { slots.lastLocation }

    public func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        slots.replace(location: locationCallback, availability: availabilityCallback) { [weak self] isActive in
            self?.setOpen(isActive)
        }
    }

    public func setDesiredAccuracy(_ accuracy: DesiredAccuracy) { source.withLock { $0.accuracy = accuracy } }

    /// Makes a position, from any thread; one made while the source is closed is lost, as on a real receiver.
    public func push(_ location: Location) {
        scheduler.enqueue { [self] in
            if isOpen { slots.deliver(location) }
        }
    }

    /// How many empty batches were warned of.
    public var warnings: Int { source.withLock { $0.warnings } }

    /// Makes several positions at once, oldest to newest; none at all are a warning.
    public func push(batch: [Location]) {
        scheduler.enqueue { [self] in
            guard isOpen else { return }
            do throws(EmptyLocationBatch) {
                slots.deliver(try LocationBatch(batch))
            } catch {
                source.withLock { $0.warnings += 1 }
            }
        }
    }

    /// Makes the source available or not, from any thread; it stays so while closed.
    public func setAvailability(_ availability: Availability) {
        scheduler.enqueue { [self] in
            source.withLock { $0.availability = availability }
            if isOpen { slots.report(availability) }
        }
    }

    private func setOpen(_ isOpen: Bool) {
        let availability = source.withLock { source in
            source.isOpen = isOpen
            return source.availability
        }
        if isOpen { slots.report(availability) }
    }
}
