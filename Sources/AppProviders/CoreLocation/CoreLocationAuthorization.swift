/// Whether the platform lets the program know where the device is (CoreLocation's `CLAuthorizationStatus`).
enum CoreLocationAuthorization: Equatable, Sendable {
    /// The user was not asked yet.
    case notDetermined
    /// The device does not allow it, whatever the user wants.
    case restricted
    case denied
    case always
    case whenInUse

    /// - Parameter rawValue: of `CLAuthorizationStatus`, whose cases are not all there on every platform; one of a later
    ///   platform lets nothing be concluded.
    init(rawValue: Int32) {
        self =
            switch rawValue {
            case 1: .restricted
            case 2: .denied
            case 3: .always
            case 4: .whenInUse
            default: .notDetermined
            }
    }

    var isGranted: Bool { self == .always || self == .whenInUse }
    var isRefused: Bool { self == .denied || self == .restricted }
}

/// What CoreLocation's failures mean to a provider.
enum CoreLocationFailure: Equatable, Sendable {
    /// There is no position at the moment; CoreLocation goes on trying.
    case locationUnknown
    /// The user took the permission away.
    case denied
    /// Everything else: CoreLocation goes on by itself.
    case other(code: Int)

    /// - Parameter code: of `CLError`.
    init(code: Int) {
        self =
            switch code {
            case 0: .locationUnknown
            case 1: .denied
            default: .other(code: code)
            }
    }
}
