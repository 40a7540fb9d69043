internal import Positioning

/// When a simulated receiver is in a tunnel: pure, and the same for the same seed.
struct SimulatedOutages: Equatable, Sendable {
    private let settings: SimulatorSettings.Outages?
    private var generator: SeededGenerator
    private(set) var isNow = false
    /// Seconds until that changes.
    private var left = Double.infinity

    init(_ settings: SimulatorSettings.Outages?, seed: UInt64) {
        self.settings = settings
        generator = SeededGenerator(seed: seed)
        if settings != nil { left = next() }
    }

    mutating func advance(by seconds: Double) {
        left -= seconds
        guard left <= 0, settings != nil else { return }
        isNow.toggle()
        left = next()
    }

    /// How long the present state lasts.
    private mutating func next() -> Double {
        guard let settings else { return .infinity }
        let length = settings.length.inSeconds
        let mean = isNow ? length : max(0, settings.every.inSeconds - length)
        return mean * (0.5 + generator.uniform())
    }
}
