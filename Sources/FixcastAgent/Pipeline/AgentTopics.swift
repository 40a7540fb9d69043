internal import FleetWire

/// The topics of one vehicle, made once.
struct AgentTopics {
    let location: String
    let track: String
    let availability: String
    let health: String
    /// Matches what every subscriber wants of this vehicle.
    let demands: String
    /// What subscribers ask this agent to do.
    let command: String
    private let demandPrefix: String
    private let root: TopicRoot
    private let vehicle: VehicleID

    init(root: TopicRoot, vehicle: VehicleID) {
        location = root.topic(.location, of: vehicle)
        track = root.topic(.track, of: vehicle)
        availability = root.topic(.availability, of: vehicle)
        health = root.topic(.health, of: vehicle)
        demands = root.demandFilter(of: vehicle)
        demandPrefix = String(demands.dropLast())
        command = root.commandTopic(of: vehicle)
        (self.root, self.vehicle) = (root, vehicle)
    }

    func reply(to subscriber: VehicleID) -> String { root.replyTopic(of: vehicle, to: subscriber) }

    func isDemand(_ topic: String) -> Bool { topic.hasPrefix(demandPrefix) }
}
