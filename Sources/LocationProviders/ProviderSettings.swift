public import EventLoop
public import Positioning

/// Which source of this room an agent reads, and how.
public struct ProviderSettings: Equatable, Sendable {
    public enum Source: Equatable, Sendable {
        case simulator(SimulatorSettings)
        case gpsd(GPSDSettings)
        case replay(ReplaySettings)
        case nmea(NMEASettings)
    }

    public var source: Source
    public var common: CommonProviderSettings

    public init(
        source: Source = .simulator(SimulatorSettings()), common: CommonProviderSettings = CommonProviderSettings()
    ) {
        self.source = source
        self.common = common
    }

    /// Makes the provider, on the loop's thread or before it runs. Nothing is opened before callbacks are set, but a
    /// log is looked into.
    ///
    /// - Parameter notify: told each change of state on the loop, once.
    public func makeProvider(
        on loop: EventLoop, notify: @escaping @Sendable (ProviderNotice) -> Void = { _ in }
    ) throws(ReplayError) -> any LocationProvider {
        switch source {
        case .simulator(let settings):
            SimulatorProvider(
                scheduler: LoopScheduler(loop), settings: settings, assumption: common.assumption)
        case .gpsd(let settings):
            GPSDProvider(loop: loop, settings: settings, common: common, notify: notify)
        case .nmea(let settings):
            NMEAProvider(loop: loop, settings: settings, common: common, notify: notify)
        case .replay(let settings):
            try ReplayProvider(
                scheduler: LoopScheduler(loop), settings: settings, common: common, notify: notify)
        }
    }
}
