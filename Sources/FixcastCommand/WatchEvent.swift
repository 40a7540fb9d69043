internal import FleetWire
internal import Positioning

/// What there is to show.
enum WatchEvent: Equatable {
    /// A position, just made or, as the broker had kept it, the last known one.
    case position(VehicleID, Report, isLastKnown: Bool)
    /// A change of availability, with the time of the change where it is known, else of its arrival.
    case availability(VehicleID, Availability, UTCInstant)
}
