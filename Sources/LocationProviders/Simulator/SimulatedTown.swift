internal import Positioning

extension SimulatedRoute {
    /// The embedded drive: a delivery round of 6 km through a made-up small town and along its bypass.
    static let town = built(in: townPlan)

    /// The town's drive, nowhere faster than `limit` metres per second.
    static func town(limit: Double) -> SimulatedRoute {
        built(
            in: townPlan.map { corner in
                var corner = corner
                corner.limit = min(corner.limit, limit)
                return corner
            })
    }

    private struct Corner {
        /// Metres east and north of the depot.
        var east: Double
        var north: Double
        var limit: Double
        var altitude: Double
        var dwell: Double = 0
    }

    private static func built(in plan: [Corner]) -> SimulatedRoute {
        let depot = Coordinate(latitude: 52.4312, longitude: 13.5371)
        return SimulatedRoute(
            plan.map { corner in
                Waypoint(
                    coordinate: place(depot, east: corner.east, north: corner.north), limit: corner.limit,
                    altitude: corner.altitude, dwell: corner.dwell)
            })
    }

    private static let townPlan = [
        Corner(east: 0, north: 0, limit: 8.3, altitude: 36, dwell: 20),
        Corner(east: 210, north: 35, limit: 8.3, altitude: 36),
        Corner(east: 265, north: 180, limit: 13.9, altitude: 37),
        Corner(east: 300, north: 420, limit: 13.9, altitude: 39, dwell: 12),
        Corner(east: 330, north: 640, limit: 13.9, altitude: 41),
        Corner(east: 560, north: 720, limit: 13.9, altitude: 42),
        Corner(east: 820, north: 705, limit: 19.4, altitude: 43),
        Corner(east: 1250, north: 760, limit: 22.2, altitude: 45),
        Corner(east: 1690, north: 640, limit: 22.2, altitude: 48),
        Corner(east: 1930, north: 330, limit: 19.4, altitude: 46),
        Corner(east: 1905, north: 40, limit: 13.9, altitude: 43),
        Corner(east: 1740, north: -60, limit: 13.9, altitude: 42, dwell: 35),
        Corner(east: 1480, north: -150, limit: 13.9, altitude: 41),
        Corner(east: 1450, north: -420, limit: 13.9, altitude: 40),
        Corner(east: 1130, north: -455, limit: 13.9, altitude: 39),
        Corner(east: 900, north: -400, limit: 13.9, altitude: 38, dwell: 8),
        Corner(east: 610, north: -330, limit: 13.9, altitude: 37),
        Corner(east: 560, north: -120, limit: 8.3, altitude: 37),
        Corner(east: 330, north: -140, limit: 8.3, altitude: 36),
        Corner(east: 150, north: -210, limit: 8.3, altitude: 35),
        Corner(east: -40, north: -120, limit: 8.3, altitude: 35),
    ]
}
