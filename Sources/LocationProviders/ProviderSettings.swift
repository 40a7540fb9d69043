public import EventLoop
public import Positioning

/// Which source of this room an agent reads, and how.
public struct ProviderSettings: Equatable, Sendable {
    public enum Source: Equatable, Sendable {
        case simulator(SimulatorSettings)
        case gpsd(GPSDSettings)
        case replay(ReplaySettings)
        case nmea(NMEASettings)
        case command(CommandSettings)
    }

    public var source: Source
    public var common: CommonProviderSettings

    public init(
        source: Source = .simulator(SimulatorSettings()), common: CommonProviderSettings = CommonProviderSettings()
    ) {
        self.source = source
        self.common = common
    }

    /// What a recording of the source's raw stream holds; `nil` where there is no such stream.
    public var recordingKind: RecordingKind? {
        switch source {
        case .nmea: .nmea
        case .gpsd: .gpsd
        case .command: .command
        case .simulator, .replay: nil
        }
    }

    /// Makes the provider, on the loop's thread or before it runs. Nothing is opened before callbacks are set, but a
    /// log is looked into.
    ///
    /// - Parameters:
    ///   - notify: told each change of state on the loop, once.
    ///   - tap: told the raw stream on the loop, where there is one (``recordingKind``).
    public func makeProvider(
        on loop: EventLoop, notify: @escaping @Sendable (ProviderNotice) -> Void = { _ in },
        tap: (@Sendable (RawStreamEvent) -> Void)? = nil
    ) throws(ReplayError) -> any LocationProvider {
        switch source {
        case .simulator(let settings):
            try SimulatorProvider(
                scheduler: LoopScheduler(loop), settings: settings, assumption: common.assumption)
        case .gpsd(let settings):
            GPSDProvider(loop: loop, settings: settings, common: common, notify: notify, tap: tap)
        case .nmea(let settings):
            NMEAProvider(loop: loop, settings: settings, common: common, notify: notify, tap: tap)
        case .command(let settings):
            CommandProvider(loop: loop, settings: settings, common: common, notify: notify, tap: tap)
        case .replay(let settings):
            try ReplayProvider(
                scheduler: LoopScheduler(loop), settings: settings, common: common, notify: notify)
        }
    }
}
