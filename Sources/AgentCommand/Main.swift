internal import CommandLineOptions
internal import Evaluation
internal import FixcastAgent
internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

private let config = Option("config", short: "c", argument: "FILE", required: true, "the configuration file")

private let program = Program(
    "fixcast-agent", version: FixcastVersion.text, "Publishes a vehicle's position over MQTT.",
    commands: [
        Command(
            "run", "Read the position provider and publish, until SIGTERM or SIGINT.",
            options: [
                config, Option("until-end", "stop when the replay has come to its end, with everything delivered"),
            ]),
        Command(
            "record",
            "Write the raw stream of the position provider (gpsd, nmea or command) with the times at which it came, until SIGTERM, SIGINT or the end. provider.type: replay replays it. It holds coordinates; a file is made readable for its owner alone.",
            options: [
                config,
                Option(
                    "output", short: "o", argument: "FILE", "the recording; without it, or with -, the standard output"),
                Option("seconds", argument: "N", "stop after so many seconds"),
                Option("force", "overwrite a file that is there"),
            ]),
        Command("check", "Check the configuration and the files it names, and exit.", options: [config]),
        Command(
            "explain", "Say what would be sent of a recorded drive and why, what would be rejected, and what it costs.",
            options: [
                config, Option("replay", argument: "FILE", "the drive; without it the configured one"),
                Option(
                    "format", short: "f", argument: "FORMAT", choices: ExplainFormat.allCases.map(\.rawValue),
                    "text (the default), json, or svg for a picture"),
            ]),
    ], exitCodes: [.success, .usage, .noInput, .unavailable, .cannotCreate, .inputOutput, .configuration])

@main struct Main {
    static func main() {
        StandardStreams.reserve()
        switch program.parse(Array(CommandLine.arguments.dropFirst())) {
        case .help(let text), .version(let text): print(text, terminator: text.hasSuffix("\n") ? "" : "\n")
        case .usageError(let message): leave(.usage, message)
        case .run(let invocation): run(invocation)
        }
    }

    private static func run(_ invocation: Invocation) {
        if invocation.command == "record" { record(invocation) }
        let file = invocation["config"] ?? ""
        let settings: AgentSettings
        do throws(ConfigurationProblems) {
            settings = try AgentSettings.read(file: file, environment: environment())
        } catch {
            leave(.configuration, error.description)
        }
        do throws(Agent.Failure) {
            if invocation.command == "check" {
                for remark in try Agent(settings).check() { say(remark) }
                return print("\(file): right")
            }
            if invocation.command == "explain" {
                let format = invocation["format"].flatMap(ExplainFormat.init) ?? .text
                print(try Agent(settings).explain(replay: invocation["replay"], format: format), terminator: "")
                return
            }
            try Agent(settings, stopsAtEnd: invocation.isGiven("until-end")).run()
            end(.success)
        } catch {
            switch error {
            case .noInput: leave(.noInput, error.description)
            case .directoryInUse, .noLoop: leave(.unavailable, error.description)
            }
        }
    }

    private static func record(_ invocation: Invocation) -> Never {
        var duration: Duration?
        if let text = invocation["seconds"] {
            guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else {
                leave(.usage, "fixcast-agent record: --seconds takes a number above 0, not '\(text)'")
            }
            duration = .seconds(seconds)
        }
        do throws(ConfigurationProblems) {
            let settings = try RecorderSettings.read(file: invocation["config"] ?? "", environment: environment())
            let output = invocation["output"].flatMap { $0 == "-" ? nil : $0 }
            record(Recorder(settings, output: output, overwrites: invocation.isGiven("force"), duration: duration))
        } catch {
            leave(.configuration, error.description)
        }
    }

    private static func record(_ recorder: Recorder) -> Never {
        do throws(Recorder.Failure) {
            let summary = try recorder.run()
            leave(summary.wasConnected ? .success : .unavailable, summary.description)
        } catch {
            switch error {
            case .cannotCreate: leave(.cannotCreate, error.description)
            case .cannotWrite: leave(.inputOutput, error.description)
            case .noInput: leave(.noInput, error.description)
            case .noLoop: leave(.unavailable, error.description)
            }
        }
    }

    private static func leave(_ code: ExitCode, _ message: String) -> Never {
        say(message)
        end(code)
    }

    private static func say(_ message: String) {
        let line = Array((message.hasSuffix("\n") ? message : message + "\n").utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Ends without the libraries' own endings: a helper thread may be inside one of them, connecting.
    private static func end(_ code: ExitCode) -> Never { _exit(code.rawValue) }

    private static func environment() -> [String: String] {
        var found: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let pair = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { found[String(pair[0])] = String(pair[1]) }
            unsafe entry += 1
        }
        return found
    }
}
