/// What the simulator drives.
public struct SimulatorSettings: Equatable, Sendable {
    /// When the receiver sees no satellites: in tunnels.
    public struct Outages: Equatable, Sendable {
        /// From the beginning of one to the beginning of the next, on average; each is up to half of it early or late.
        public var every: Duration
        /// On average; each is up to half of it longer or shorter.
        public var length: Duration

        public init(every: Duration, length: Duration) {
            self.every = every
            self.length = length
        }
    }

    /// Metres per second on a route that brings no limits of its own.
    static let usualSpeed = 50 / 3.6

    /// The same seed makes the same drive.
    public var seed: UInt64
    /// Fixes per second, from 0.01 to 1000; what is outside is taken as the nearest.
    public var rate: Double
    /// A GPX file (its track, else its route; its waypoints near that are stops) or a GeoJSON file (its LineStrings; its
    /// Points near them are stops). One that comes back to its beginning is driven round and round, another to its end
    /// and back again. `nil`: a made-up town.
    public var route: String?
    /// Metres per second that the vehicle drives at most, curves and stops apart; `nil`: 50 km/h, and in the town what
    /// is allowed there.
    public var speed: Double?
    /// How long the vehicle stands at each stop of a route, and where it turns back.
    public var stop: Duration
    /// Metres, 68 %, at HDOP 1: how far the receiver is off. It wanders, and the stated accuracy is true.
    public var noise: Double
    public var outages: Outages?

    public init(
        seed: UInt64 = 1, rate: Double = 1, route: String? = nil, speed: Double? = nil, stop: Duration = .seconds(20),
        noise: Double = 3, outages: Outages? = nil
    ) {
        self.seed = seed
        self.rate = rate
        self.route = route
        self.speed = speed
        self.stop = stop
        self.noise = noise
        self.outages = outages
    }
}
