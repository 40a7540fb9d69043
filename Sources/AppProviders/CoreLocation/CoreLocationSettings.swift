/// How the platform is asked for positions.
public struct CoreLocationSettings: Equatable, Sendable {
    /// Which permission the user is asked for.
    public enum Permission: Equatable, Sendable {
        case whenInUse
        /// Also in the background, with `UIBackgroundModes` `location` in the app's Info.plist.
        case always
    }

    public var permission: Permission
    /// Metres that the device moves before a new position comes; 0: each one comes.
    public var distanceFilter: Double
    /// "Location unknown" for this long makes the provider unavailable, `noFix`; before, it is transient.
    public var patience: Duration

    public init(permission: Permission = .whenInUse, distanceFilter: Double = 0, patience: Duration = .seconds(10)) {
        self.permission = permission
        self.distanceFilter = distanceFilter
        self.patience = patience
    }
}
