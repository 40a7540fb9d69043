internal import CommandLineOptions
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
        Command("check", "Check the configuration and the files it names, and exit.", options: [config]),
    ], exitCodes: [.success, .usage, .noInput, .unavailable, .configuration])

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
            try Agent(settings, stopsAtEnd: invocation.isGiven("until-end")).run()
            end(.success)
        } catch {
            switch error {
            case .noInput: leave(.noInput, error.description)
            case .directoryInUse, .noLoop: leave(.unavailable, error.description)
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
