internal import LocationProviders
internal import MessageTransport
internal import RemoteLocation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Puts what a provider notices into words.
///
/// Sendable because it is confined to the loop's thread, where providers tell their notices.
final class ProviderReporter: @unchecked Sendable {
    private let log: AgentLog
    private let ended: (ReplayError?) -> Void

    /// - Parameter ended: called when a replay is over, with what broke it off.
    init(log: AgentLog, ended: @escaping (ReplayError?) -> Void) {
        self.log = log
        self.ended = ended
    }

    func tell(_ notice: ProviderNotice) {
        switch notice {
        case .connected(let address): log(.info, "provider-connected", "connected to gpsd at \(address)")
        case .unreachable(let address, let failure):
            log(.warning, "provider-unreachable", "no connection to gpsd at \(address): \(Self.text(failure))")
        case .disconnected(let address): log(.warning, "provider-disconnected", "gpsd at \(address) is gone")
        case .silent(let address): log(.warning, "provider-silent", "gpsd at \(address) sends no positions")
        case .delivering(let address): log(.info, "provider-delivering", "gpsd at \(address) sends positions again")
        case .deviceLost(let address): log(.warning, "provider-device", "gpsd at \(address) has no receiver")
        case .deviceChanged(let address, let device):
            log(
                .warning, "provider-device",
                "gpsd at \(address): positions come from \(device ?? "another receiver") now")
        case .deviceMissing(let address, let device):
            log(
                .warning, "provider-device",
                "gpsd at \(address) has no \(device), which provider.gpsd.device names; any of its receivers is taken")
        case .unknownProtocol(let address, let major):
            log(
                .warning, "provider-protocol",
                "gpsd at \(address) speaks version \(major) of its protocol, this agent knows 3; reading on")
        case .refused(let address): log(.warning, "provider-refused", "gpsd at \(address) refused a request")
        case .reading(let source, let rate):
            log(
                .info, "provider-connected",
                "reading NMEA from \(source)" + (rate.map { " at \($0.rawValue) baud" } ?? ""))
        case .sourceUnavailable(let source, let failure):
            log(.warning, "provider-unreachable", "\(source): \(Self.text(failure, of: source)); trying on")
        case .sourceLost(let source): log(.warning, "provider-disconnected", "\(source) is gone; looking for it")
        case .sourceSilent(let source): log(.warning, "provider-silent", "nothing comes from \(source)")
        case .notNMEA(let source):
            log(.warning, "provider-unreadable", "no NMEA comes from \(source): \(Self.causes(of: source))")
        case .commandFailed(let name, let code):
            log(.error, "command-failed", "\(name): cannot be started: \(systemText(code))")
        case .commandDelivers(let name): log(.info, "command-delivers", "\(name) tells positions")
        case .commandEnded(let name, .status(let code)):
            log(.warning, "command-ended", "\(name) ended with status \(code); it is started again")
        case .commandEnded(let name, .signal(let number)):
            log(.warning, "command-ended", "\(name) was ended by signal \(number); it is started again")
        case .commandSilent(let name): log(.warning, "command-silent", "\(name) tells no positions")
        case .commandGarbage(let name):
            log(
                .warning, "command-garbage",
                "\(name) prints lines that are not the JSON of a position; they are left out")
        case .commandSays(let name, let text, let suppressed):
            let more = suppressed > 0 ? " (\(suppressed) lines before it left out)" : ""
            log(.warning, "command-says", "\(name): \(text)\(more)")
        case .skipped(let file, let line):
            log(.warning, "replay-skipped", "\(file):\(line): cannot be read; left out")
        case .skippedInAll(let file, let count):
            log(.warning, "replay-skipped", "\(file): \(count) rows or points in all could not be read")
        case .cutOff(let file): log(.warning, "replay-cut-off", "\(file): its end is missing; replayed up to there")
        case .ended(let file):
            log(.info, "replay-ended", "\(file) is at its end")
            ended(nil)
        case .failed(let error):
            log(.error, "replay-failed", error.description)
            ended(error)
        }
    }

    func tell(_ notice: RemoteSourceNotice) {
        switch notice {
        case .connected: log(.info, "source-connected", "connected to the broker that positions come from")
        case .disconnected(let reason):
            log(.warning, "source-disconnected", "no connection to the broker that positions come from: \(reason)")
        case .message(.malformed(let topic, let error, let excerpt)):
            log(.warning, "source-malformed", "\(topic): \(error): \(excerpt)")
        case .message(.encrypted(let topic)):
            log(.warning, "source-encrypted", "\(topic): the payload is encrypted; OwnTracks' encryption is not read")
        case .message(.subscriptionRefused(let filter, let reason)):
            log(
                .error, "source-refused",
                "the broker does not let this client read \(filter), reason code \(reason.rawValue)")
        }
    }

    /// A `first-of` took another source.
    func tellChoice(_ name: String) { log(.info, "source-chosen", "positions come from \(name)") }

    static func text(_ failure: SourceFailure, of source: SourceAddress) -> String {
        switch (failure, source) {
        case (.missing, .serial): "there is no such device"
        case (.missing, _): "there is no such file"
        case (.permissionDenied, .serial):
            "permission denied; the agent's user must be in the group of the device, often dialout"
        case (.permissionDenied, _): "permission denied"
        case (.inUse, .serial): "another program reads from it, perhaps gpsd; then take provider.type: gpsd"
        case (.inUse, _): "another program listens there"
        case (.notSerial, _): "is no serial port; a file is written file:PATH"
        case (.directory, _): "is a directory"
        case (.unknownHost, _): "the name cannot be resolved"
        case (.timeout, _): "no answer"
        case (.errno(let code), _): systemText(code)
        }
    }

    private static func causes(of source: SourceAddress) -> String {
        switch source {
        case .serial(_, nil): "no baud rate tried so far is right, or the receiver speaks another protocol"
        case .serial(_, let baud?): "perhaps \(baud.rawValue) baud is wrong, or the receiver speaks another protocol"
        default: "perhaps another protocol"
        }
    }

    private static func text(_ failure: ProviderNotice.ConnectFailure) -> String {
        switch failure {
        case .unknownHost: "the name cannot be resolved"
        case .errno(let code): systemText(code)
        case .timeout: "no answer"
        }
    }
}

private func systemText(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
}
