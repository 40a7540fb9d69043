import Testing

@testable import CommandLineOptions

private let program = Program(
    "fixcast", version: "1.2.3", "Follows vehicles.",
    commands: [
        Command(
            "watch", "Shows positions as they come.",
            options: [
                Option("broker", short: "b", argument: "URL", required: true, "the broker"),
                Option("vehicle", argument: "ID", repeatable: true, "only this vehicle"),
                Option("format", argument: "FORMAT", choices: ["text", "json", "csv"], "how to show"),
                Option("verbose", short: "v", "say more"),
                Option("verify", "check twice"),
            ]),
        Command("forget", "Clears a vehicle.", operands: ["VEHICLE"]),
    ])

private func error(_ arguments: String...) -> String? {
    if case .usageError(let message) = program.parse(arguments) { message } else { nil }
}

@Suite struct ParsingTests {
    @Test(arguments: [
        ["watch", "--broker", "mqtt://b", "-v"], ["watch", "--broker=mqtt://b", "--verbose"],
        ["watch", "-b", "mqtt://b", "-v"], ["watch", "-bmqtt://b", "-v"], ["watch", "-vb", "mqtt://b"],
        ["watch", "--bro", "mqtt://b", "--verb"], ["watch", "-vbmqtt://b", "--"],
    ])
    func anOptionMayBeWrittenInEachOfTheUsualWays(arguments: [String]) {
        #expect(
            program.parse(arguments)
                == .run(
                    Invocation(command: "watch", operands: [], given: ["broker": ["mqtt://b"], "verbose": [""]])))
    }

    @Test func theInvocationAnswersForEachOption() {
        guard
            case .run(let invocation) = program.parse([
                "watch", "-b", "u", "--vehicle", "a", "--vehicle", "b", "--format", "json",
            ])
        else {
            Issue.record("refused")
            return
        }
        #expect(invocation["broker"] == "u")
        #expect(invocation.all("vehicle") == ["a", "b"])
        #expect(invocation["format"] == "json")
        #expect(!invocation.isGiven("verbose"))
        #expect(invocation["verbose"] == nil)
    }

    @Test func operandsMayStandAnywhereAndAfterTwoDashesAreNeverOptions() {
        #expect(
            program.parse(["forget", "van-1"])
                == .run(Invocation(command: "forget", operands: ["van-1"], given: [:])))
        #expect(
            program.parse(["forget", "--", "--help"])
                == .run(Invocation(command: "forget", operands: ["--help"], given: [:])))
        #expect(error("forget") == "fixcast forget: VEHICLE is missing\nTry 'fixcast forget --help'.")
        #expect(
            error("forget", "a", "b") == "fixcast forget: unexpected argument 'b'\nTry 'fixcast forget --help'.")
    }

    @Test(arguments: [
        (["watch", "--brokr", "x"], "unknown option '--brokr'; did you mean --broker?"),
        (["watch", "--brokr=x"], "unknown option '--brokr'; did you mean --broker?"),
        (["watch", "-x"], "unknown option '-x'"), (["watch", "-vx"], "unknown option '-x'"),
        (["watch", "--ver", "-b", "x"], "'--ver' may mean --verbose or --verify or --version"),
        (["watch", "--broker"], "--broker URL: the argument is missing"),
        (["watch", "-b"], "--broker URL: the argument is missing"),
        (["watch", "--verbose=3", "-b", "x"], "--verbose takes no argument"),
        (["watch", "mqtt://b"], "--broker URL is missing; did you mean --broker mqtt://b?"),
        (["watch"], "--broker URL is missing"), (["watch", "-b", "x", "-b", "y"], "--broker is given twice"),
        (
            ["watch", "-b", "x", "--format", "jsn"],
            "--format takes one of text, json, csv, not 'jsn'; did you mean json?"
        ),
        (["watch", "-b", "x", "van"], "unexpected argument 'van'"),
        (["watch", "--\u{1B}[2J"], "unknown option '--?[2J'"),
    ])
    func aWrongOptionIsNamedWithWhatWouldBeRight(arguments: [String], message: String) {
        #expect(program.parse(arguments) == .usageError("fixcast watch: \(message)\nTry 'fixcast watch --help'."))
    }

    @Test(arguments: [
        ([], "a command is missing"), (["wach"], "unknown command 'wach'; did you mean watch?"),
        (["nonsense"], "unknown command 'nonsense'"), (["--hlep"], "unknown option '--hlep'; did you mean --help?"),
        (["-b", "x", "watch"], "unknown option '-b'"),
        (["help", "wtch"], "unknown command 'wtch'; did you mean watch?"),
        ([""], "unknown command ''"), (["-"], "unknown command '-'"),
    ])
    func aWrongCommandIsNamedWithWhatWouldBeRight(arguments: [String], message: String) {
        #expect(program.parse(arguments) == .usageError("fixcast: \(message)\nTry 'fixcast --help'."))
    }

    @Test func helpAndVersionComeBeforeWhatIsMissing() {
        #expect(program.parse(["--version"]) == .version("fixcast 1.2.3"))
        #expect(program.parse(["watch", "-V"]) == .version("fixcast 1.2.3"))
        #expect(program.parse(["--help"]) == .help(program.help()))
        #expect(program.parse(["help"]) == .help(program.help()))
        #expect(program.parse(["watch", "--help"]) == .help(program.help(for: program.commands[0])))
        #expect(program.parse(["help", "watch"]) == .help(program.help(for: program.commands[0])))
    }

    @Test func manyMayParseAtOnce() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    guard case .run(let run) = program.parse(["watch", "-v", "-b", "u\(number)"]) else { return false }
                    return run["broker"] == "u\(number)" && run.isGiven("verbose")
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
