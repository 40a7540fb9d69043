internal import FleetWire

/// The topics of one vehicle, made once.
struct AgentTopics {
    let location: String
    let track: String
    let availability: String

    init(root: TopicRoot, vehicle: VehicleID) {
        location = root.topic(.location, of: vehicle)
        track = root.topic(.track, of: vehicle)
        availability = root.topic(.availability, of: vehicle)
    }
}
