internal import Configuration
internal import LocationProviders

extension ProviderSettings {
    /// `nil` for what the agent itself composes.
    init?(_ reader: inout ConfigurationReader, _ keys: ProviderKeys, _ common: CommonProviderSettings) {
        switch reader.value(keys.type) {
        case .gpsd:
            let address = reader.value(keys.gpsdAddress)
            let settings = GPSDSettings(host: address.host, port: address.port, device: reader.value(keys.gpsdDevice))
            self.init(source: .gpsd(settings), common: common)
        case .nmea:
            let source = reader.value(keys.nmeaSource)
            if source == nil, !reader.isGiven(keys.nmeaSource) {
                reader.report(
                    "is missing; \(keys.type.path) is nmea, which needs a source, for example serial:/dev/ttyUSB0",
                    at: keys.nmeaSource, code: .missing)
            }
            let silence = reader.value(keys.nmeaSilence)
            self.init(
                source: .nmea(
                    NMEASettings(
                        source: source ?? .standardInput, silence: silence, deadAfter: max(.seconds(30), silence * 3))),
                common: common)
        case .replay:
            let file = reader.value(keys.replayFile)
            if file == nil, !reader.isGiven(keys.replayFile) {
                reader.report(
                    "is missing; \(keys.type.path) is replay, which needs a log, for example /var/log/drive.nmea",
                    at: keys.replayFile, code: .missing)
            }
            self.init(
                source: .replay(
                    ReplaySettings(
                        file: file ?? "", speed: reader.value(keys.replaySpeed),
                        loops: reader.value(keys.replayLoop), time: reader.value(keys.replayTime),
                        rollover: reader.value(keys.replayRollover))),
                common: common)
        case .command:
            let run = reader.texts(keys.commandRun)
            if run.isEmpty, !reader.isGiven(keys.commandRun) {
                reader.report(
                    "is missing; \(keys.type.path) is command, which needs a program, for example \(keys.commandRun.example)",
                    at: keys.commandRun, code: .missing)
            }
            self.init(
                source: .command(CommandSettings(run: run, silence: reader.value(keys.commandSilence))), common: common)
        case .mqtt, .firstOf: return nil
        case .simulator: self.init(source: .simulator(Self.simulator(&reader, keys)), common: common)
        }
    }

    private static func simulator(_ reader: inout ConfigurationReader, _ keys: ProviderKeys) -> SimulatorSettings {
        let (every, length) = (reader.value(keys.outageEvery), reader.value(keys.outageLength))
        if every != .zero, every <= length {
            reader.report(
                "is not longer than \(keys.outageLength.path), so that there would never be a fix",
                at: keys.outageEvery, code: .conflict)
        }
        return SimulatorSettings(
            seed: UInt64(reader.value(keys.simulatorSeed)), rate: reader.value(keys.simulatorRate),
            route: reader.value(keys.simulatorRoute), speed: reader.value(keys.simulatorSpeed),
            stop: reader.value(keys.simulatorStop), noise: reader.value(keys.simulatorNoise),
            outages: every == .zero ? nil : SimulatorSettings.Outages(every: every, length: length))
    }
}
