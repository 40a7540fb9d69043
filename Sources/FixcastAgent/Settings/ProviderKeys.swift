internal import Configuration
internal import LocationProviders

/// The keys of a provider: of `provider`, or of an element of its `first-of`.
struct ProviderKeys: Sendable {
    let section: String
    let type: ConfigurationKey<ProviderType>
    let gpsdAddress: ConfigurationKey<HostPort>
    let gpsdDevice: ConfigurationKey<String?>
    let nmeaSource: ConfigurationKey<SourceAddress?>
    let nmeaSilence: ConfigurationKey<Duration>
    let replayFile: ConfigurationKey<String?>
    let replaySpeed: ConfigurationKey<Double>
    let replayLoop: ConfigurationKey<Bool>
    let replayTime: ConfigurationKey<ReplaySettings.Time>
    let replayRollover: ConfigurationKey<ReplaySettings.Rollover>
    let simulatorSeed: ConfigurationKey<Int>
    let simulatorRate: ConfigurationKey<Double>
    let simulatorRoute: ConfigurationKey<String?>
    let simulatorSpeed: ConfigurationKey<Double?>
    let simulatorStop: ConfigurationKey<Duration>
    let simulatorNoise: ConfigurationKey<Double>
    let outageEvery: ConfigurationKey<Duration>
    let outageLength: ConfigurationKey<Duration>
    let commandRun: ConfigurationListKey
    let commandSilence: ConfigurationKey<Duration>
    let mqtt: RemoteSourceKeys
    let assumeAccuracy: ConfigurationKey<Double>
    let uere: ConfigurationKey<Double>

    /// - Parameters:
    ///   - section: the beginning of the keys' paths.
    ///   - types: what `type` may be.
    init(_ section: String, types: [ProviderType] = ProviderType.allCases) {
        self.section = section
        type = ConfigurationKey(
            "\(section).type", .choice(of: types.map { ($0.rawValue, $0) }), default: "gpsd",
            "Where positions come from.")
        gpsdAddress = ConfigurationKey(
            "\(section).gpsd.address", AgentKeys.hostPortFormat, default: "localhost:2947", "Where gpsd listens.")
        gpsdDevice = .optional(
            "\(section).gpsd.device", .path,
            "The receiver to follow while it has a fix, as gpsd names it; absent: the first that has one.")
        nmeaSource = .optional(
            "\(section).nmea.source", AgentKeys.sourceFormat,
            "A serial port (serial:PATH, with ?baud=9600 or the rate found), tcp://HOST:PORT, udp://ADDRESS:PORT, file:PATH or stdin:."
        )
        nmeaSilence = ConfigurationKey(
            "\(section).nmea.silence", .duration(in: .seconds(1) ... .seconds(3600)), default: "10s",
            "Without a byte, a sentence or a position for this long, availability says so.")
        replayFile = .optional(
            "\(section).replay.file", .path,
            "A log: NMEA 0183, gpsd's JSON, GPX, CSV or a recording; its content tells which.")
        replaySpeed = ConfigurationKey(
            "\(section).replay.speed", .number(in: 0...10_000), default: "1",
            "How many times faster than recorded; 0: as fast as the pipeline takes it.")
        replayLoop = ConfigurationKey(
            "\(section).replay.loop", .bool, default: "false", "Begin again at the end, with time going on.")
        replayTime = ConfigurationKey(
            "\(section).replay.time", .choice(of: ReplaySettings.Time.self), default: "original",
            "original: as recorded; now: shifted so that the drive starts now.")
        replayRollover = ConfigurationKey(
            "\(section).replay.rollover", .choice(of: ReplaySettings.Rollover.self), default: "keep",
            "An NMEA log's dates that are 1024 weeks early: keep them as recorded, or correct them.")
        simulatorSeed = ConfigurationKey(
            "\(section).simulator.seed", .integer(in: 0...Int.max), default: "1", "The same seed is the same drive.")
        simulatorRate = ConfigurationKey(
            "\(section).simulator.rate", .rate(in: 0.1...25), default: "1/s", "Fixes per second.")
        simulatorRoute = .optional(
            "\(section).simulator.route", .path,
            "A GPX or GeoJSON file with the line to drive, places to stop at beside it; absent: a made-up town.")
        simulatorSpeed = .optional(
            "\(section).simulator.speed", .speed(in: 0.5...150),
            "How fast to drive at most; absent: 50 km/h, and in the town what is allowed there.")
        simulatorStop = ConfigurationKey(
            "\(section).simulator.stop", .duration(in: .zero ... .seconds(86_400)), default: "20s",
            "How long to stand at each stop of a route, and where it turns back.")
        simulatorNoise = ConfigurationKey(
            "\(section).simulator.noise", .distance(in: 0...1000), default: "3m",
            "How far the receiver is off (68 %) at HDOP 1; it wanders.")
        outageEvery = ConfigurationKey(
            "\(section).simulator.outage.every", .duration(in: .zero ... .seconds(86_400)), default: "0s",
            "How often the receiver loses its fix, on average; 0s: never.")
        outageLength = ConfigurationKey(
            "\(section).simulator.outage.length", .duration(in: .seconds(1) ... .seconds(86_400)), default: "30s",
            "For how long, on average.")
        commandRun = ConfigurationListKey(
            "\(section).command.run", example: "[ /usr/lib/fixcast/modemmanager, any ]",
            "A program and its arguments, which no shell reads; it prints a position as JSON a line.")
        commandSilence = ConfigurationKey(
            "\(section).command.silence", .duration(in: .seconds(1) ... .seconds(86_400)), default: "10s",
            "Without a line about a position for this long, availability says so.")
        mqtt = RemoteSourceKeys("\(section).mqtt")
        assumeAccuracy = ConfigurationKey(
            "\(section).assume-accuracy", .distance(in: 0...10_000), default: "0m",
            "For receivers that never say how accurate they are; marked on the wire. 0m: do not assume.")
        uere = ConfigurationKey(
            "\(section).uere", .distance(in: 0.1...1000), default: "5m",
            "Accuracy (68 %) is HDOP times this where a source gives HDOP alone.")
    }

    var all: [any DeclaredKey] {
        [
            type, gpsdAddress, gpsdDevice,
            nmeaSource, nmeaSilence,
            replayFile, replaySpeed, replayLoop, replayTime, replayRollover,
            simulatorSeed, simulatorRate, simulatorRoute, simulatorSpeed, simulatorStop, simulatorNoise,
            outageEvery, outageLength,
            commandRun, commandSilence,
            assumeAccuracy, uere,
        ] + mqtt.all
    }
}

enum ProviderType: String, CaseIterable, Sendable {
    case gpsd, nmea, replay, simulator, command, mqtt
    case firstOf = "first-of"
}
