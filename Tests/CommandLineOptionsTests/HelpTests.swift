import Testing

@testable import CommandLineOptions

@Suite struct HelpTests {
    private let program = Program(
        "fixcast-agent", version: "1", "Publishes a vehicle's position.",
        commands: [
            Command(
                "run",
                "Runs until it is told to stop; this summary is longer than one line of a terminal and so it is wrapped.",
                options: [
                    Option("config", short: "c", argument: "FILE", required: true, "the configuration"),
                    Option(
                        "format", argument: "FORMAT", choices: ["text", "json"],
                        "how lines of the log look when they are written to the standard error stream"),
                    Option("a-name-that-is-longer-than-its-column", argument: "VALUE", "has its own line"),
                ])
        ], exitCodes: [.success, .usage, .configuration])

    @Test func aCommandsHelpIsWrappedAndComplete() {
        #expect(
            program.help(for: program.commands[0]) == """
                Usage: fixcast-agent run --config FILE [--format FORMAT]
                       [--a-name-that-is-longer-than-its-column VALUE]

                Runs until it is told to stop; this summary is longer than one line of a
                terminal and so it is wrapped.

                Options:
                  -c, --config FILE         the configuration
                      --format FORMAT       how lines of the log look when they are written to
                                            the standard error stream: text, json
                      --a-name-that-is-longer-than-its-column VALUE
                                            has its own line
                  -h, --help                show this help and exit
                  -V, --version             show the version and exit

                """)
    }

    @Test func theProgramsHelpListsCommandsAndExitCodes() {
        #expect(
            program.help() == """
                Usage: fixcast-agent COMMAND [OPTION…]

                Publishes a vehicle's position.

                Commands:
                  run  Runs until it is told to stop; this summary is longer than one line of a
                       terminal and so it is wrapped.

                Options:
                  -h, --help     show this help and exit
                  -V, --version  show the version and exit

                Exit status:
                  0   done
                  64  the command line is wrong
                  78  the configuration is wrong

                'fixcast-agent COMMAND --help' shows a command's options.

                """)
    }

    @Test func noLineIsLongerThanATerminal() {
        for help in [program.help(), program.help(for: program.commands[0])] {
            for line in help.split(separator: "\n") { #expect(line.count <= 80) }
        }
    }
}
