internal import CommandLineOptions
internal import FleetWire
internal import MosquittoTransport

/// Why the program cannot do what it was asked to, and how it ends for it.
struct WatchFailure: Error, Equatable {
    var code: ExitCode
    var message: String
}

/// How what is watched is written.
enum WatchFormat: String, CaseIterable {
    /// For people.
    case text
    /// One JSON object a line.
    case json
    /// With a header line.
    case csv
}

/// What `fixcast watch` was asked to do.
struct WatchSettings {
    var broker: MosquittoConfiguration
    var root: TopicRoot
    /// `nil`: all vehicles of the root.
    var vehicle: VehicleID?
    var format: WatchFormat
    /// Positions after which to end.
    var count: Int?

    static let command = Command(
        "watch", "Show the positions and the availability of one vehicle, or of all, as they come.",
        options: [
            Option("broker", short: "b", argument: "URL", required: true, "mqtts://HOST[:PORT] or mqtt://HOST[:PORT]"),
            Option("vehicle", short: "v", argument: "ID", "follow this vehicle only"),
            Option(
                "format", short: "f", argument: "FORMAT", choices: WatchFormat.allCases.map(\.rawValue),
                "how to write (default: text)"),
            Option(
                "topic-root", argument: "T",
                "where the vehicles publish, as on the vehicles (default: \(TopicRoot.standard.template))"),
            Option("username", short: "u", argument: "U", "the broker's user"),
            Option("password-file", argument: "F", "file whose first line is the user's password"),
            Option("ca-file", argument: "F", "certificates to trust (default: the system's)"),
            Option(
                "mqtt-version", argument: "V", choices: MosquittoConfiguration.ProtocolVersion.allCases.map(\.rawValue),
                "the protocol (default: 5)"),
            Option("count", short: "n", argument: "N", "end after N positions"),
        ])

    init(_ invocation: Invocation) throws(WatchFailure) {
        do throws(BrokerAddressError) {
            broker = MosquittoConfiguration(
                address: try BrokerAddress(invocation["broker"] ?? ""),
                clientID: "fixcast-watch-" + String(UInt32.random(in: .min ... .max), radix: 36))
        } catch {
            throw WatchFailure(code: .usage, message: "--broker: \(error)")
        }
        do throws(TopicRoot.Problem) {
            root =
                try invocation["topic-root"].map { text throws(TopicRoot.Problem) in try TopicRoot(text) } ?? .standard
        } catch {
            throw WatchFailure(code: .usage, message: "--topic-root: \(error)")
        }
        do throws(VehicleID.Problem) {
            vehicle = try invocation["vehicle"].map { text throws(VehicleID.Problem) in try VehicleID(text) }
        } catch {
            throw WatchFailure(code: .usage, message: "--vehicle: \(error)")
        }
        format = invocation["format"].flatMap(WatchFormat.init) ?? .text
        if let text = invocation["count"] {
            guard let number = Int(text), number > 0 else {
                throw WatchFailure(code: .usage, message: "--count: a number above 0 is wanted, not '\(text)'")
            }
            count = number
        }
        broker.username = invocation["username"]
        if let file = invocation["password-file"] {
            guard invocation.isGiven("username") else {
                throw WatchFailure(code: .usage, message: "--password-file: a password needs a --username")
            }
            broker.password = try firstLine(of: file)
        }
        broker.version = invocation["mqtt-version"].flatMap(MosquittoConfiguration.ProtocolVersion.init) ?? .v5
        broker.tls.authorityFile = invocation["ca-file"]
        if invocation.isGiven("ca-file"), !broker.address.usesTLS {
            throw WatchFailure(code: .usage, message: "--ca-file: only an mqtts:// broker has a certificate")
        }
        // A spectator leaves nothing behind.
        broker.sessionExpiry = 0
        broker.willDelay = 0
    }
}
