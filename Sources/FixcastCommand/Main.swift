internal import CommandLineOptions
internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

private let program = Program(
    "fixcast", version: FixcastVersion.text, "Follows vehicles that publish their positions over MQTT.",
    commands: [WatchSettings.command, Plot.command],
    exitCodes: [.success, .usage, .noInput, .unavailable, .inputOutput, .configuration])

@main struct Main {
    static func main() {
        StandardStreams.reserve()
        switch program.parse(Array(CommandLine.arguments.dropFirst())) {
        case .help(let text), .version(let text): print(text, terminator: text.hasSuffix("\n") ? "" : "\n")
        case .usageError(let message): leave(.usage, message)
        case .run(let invocation):
            if invocation.command == "plot" { plot(invocation) }
            watch(invocation)
        }
    }

    private static func watch(_ invocation: Invocation) -> Never {
        do throws(WatchFailure) {
            let watch = try Watch(WatchSettings(invocation))
            try watch.run()
        } catch {
            leave(error.code, "fixcast: \(error.message)")
        }
        end(.success)
    }

    private static func plot(_ invocation: Invocation) -> Never {
        do {
            try StandardOutput.write(Array(try Plot(invocation).svg().utf8))
            end(.success)
        } catch let failure as WatchFailure {
            leave(failure.code, "fixcast plot: \(failure.message)")
        } catch is StandardOutput.Failure {
            leave(.inputOutput, "fixcast plot: the picture cannot be written")
        } catch {
            leave(.noInput, "fixcast plot: \(error)")
        }
    }

    private static func leave(_ code: ExitCode, _ message: String) -> Never {
        StandardError.write(message)
        end(code)
    }

    /// Ends without the libraries' own endings: a helper thread may be inside one of them, connecting.
    private static func end(_ code: ExitCode) -> Never { _exit(code.rawValue) }
}
