internal import FleetWire

/// The topics of one vehicle, made once.
struct AgentTopics {
    let location: String
    let track: String
    let availability: String
    let health: String
    /// Matches what every subscriber wants of this vehicle.
    let demands: String
    private let demandPrefix: String

    init(root: TopicRoot, vehicle: VehicleID) {
        location = root.topic(.location, of: vehicle)
        track = root.topic(.track, of: vehicle)
        availability = root.topic(.availability, of: vehicle)
        health = root.topic(.health, of: vehicle)
        demands = root.demandFilter(of: vehicle)
        demandPrefix = String(demands.dropLast())
    }

    func isDemand(_ topic: String) -> Bool { topic.hasPrefix(demandPrefix) }
}
