internal import MessageTransport
internal import Positioning
internal import RemoteLocation
internal import Synchronization

/// What a source that is fed by a broker notices.
enum RemoteSourceNotice: Equatable, Sendable {
    case connected
    /// The connection, or the attempt to make one, ended; attempts go on.
    case disconnected(reason: String)
    case message(RemoteNotice)
}

/// A provider over messages, with word of its connection for the log.
final class RemoteSource: LocationProvider {
    private let provider: any LocationProvider
    private let router: MessageRouter
    private let notify: @Sendable (RemoteSourceNotice) -> Void
    private let link = Mutex<MessageRouter.Attachment?>(nil)

    init(
        provider: any LocationProvider, router: MessageRouter,
        notify: @escaping @Sendable (RemoteSourceNotice) -> Void
    ) {
        self.provider = provider
        self.router = router
        self.notify = notify
    }

    var lastLocation: Location? { provider.lastLocation }

    func setDesiredAccuracy(_ accuracy: DesiredAccuracy) { provider.setDesiredAccuracy(accuracy) }

    func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        let isActive = locationCallback != nil || availabilityCallback != nil
        follow(isActive)
        provider.setCallbacks(locationCallback: locationCallback, availabilityCallback: availabilityCallback)
    }

    private func follow(_ isActive: Bool) {
        guard isActive != link.withLock({ $0 != nil }) else { return }
        let attachment =
            !isActive
            ? nil
            : router.attach([]) { [notify] event in
                switch event {
                case .connected: notify(.connected)
                case .disconnected(let failure): notify(.disconnected(reason: failure.message))
                case .subscribed, .message, .completed, .stopped: break
                }
            }
        let former = link.withLock { link in
            defer { link = attachment }
            return link
        }
        former?.cancel()
    }
}
