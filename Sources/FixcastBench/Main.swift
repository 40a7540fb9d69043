internal import CommandLineOptions

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Measures what README quotes, each thing beside a peer in the same run.
@main struct Main {
    static let program = Program(
        "fixcast-bench", version: "1", "Measures Fixcast beside plain alternatives.",
        commands: [
            Command(
                "pipeline",
                "Replays fixes as fast as possible through the agent to a private mosquitto, beside a C program that "
                    + "publishes the same bytes.",
                options: [
                    Option("fixes", argument: "N", "how many fixes; default 200000"),
                    Option("rounds", argument: "N", "how many runs of each; default 5"),
                    Option("check", "compare with the goals, and fail where they are missed"),
                ]),
            Command(
                "gpsd-agreement",
                "Reads the NMEA logs of gpsd's regression suite in $FIXCAST_DATA and compares epoch by epoch with what gpsd "
                    + "makes of them.",
                options: [
                    Option("gpsd", argument: "VERSION", "whose output: 327, the default, or 322"),
                    Option("list", "each difference that is not explained"),
                    Option("check", "fail where a difference is not explained"),
                ]),
            Command(
                "policy",
                "Runs update policies over recorded drives: what each costs, and how far off its receiver is.",
                options: [
                    Option("tracks", argument: "DIRECTORY", "the drives; default tracks/csv in $FIXCAST_DATA"),
                    Option("chart", argument: "FILE", "also draw the policies as SVG"),
                    Option("check", "compare with the goals, and fail where they are missed"),
                ]),
            Command(
                "reporting", "Puts fixes through the checks and triggers: nanoseconds and allocations for each.",
                options: [
                    Option("rounds", argument: "N", "how many runs of each policy; default 5"),
                    Option("check", "compare with the goals, and fail where they are missed"),
                ]),
            Command(
                "outbox",
                "Stores a week of reports offline, opens it and sends it to a private mosquitto, beside mosquitto_pub -l with "
                    + "the same reports; and what that writes to the disk.",
                options: [
                    Option("reports", argument: "N", "how many reports; default 604800"),
                    Option("rounds", argument: "N", "how many runs of each; default 3"),
                    Option(
                        "part", argument: "NAME",
                        "one measurement alone, in this process: fill, paced, open, drain, wear-offline, wear-online; "
                            + "or strict, which appends as boot N until it is killed"),
                    Option("directory", argument: "DIRECTORY", "of the outbox of a part"),
                    Option("port", argument: "PORT", "of the broker on this host that drain sends to"),
                    Option("check", "compare with the goals, and fail where they are missed"),
                ]),
            Command(
                "encoding",
                "Writes recorded drives as JSON and in the compact form: bytes of a report, beside zstd where it is installed, "
                    + "and nanoseconds.",
                options: [
                    Option("tracks", argument: "DIRECTORY", "the drives; default tracks/csv in $FIXCAST_DATA"),
                    Option("rounds", argument: "N", "how many runs of each; default 5"),
                    Option("check", "compare with the goals, and fail where they are missed"),
                ]),
            Command(
                "nmea", "Reads NMEA 0183 from bytes to locations, beside a plain C reader of sentences.",
                options: [
                    Option("rounds", argument: "N", "how many runs of each; default 5"),
                    Option("check", "compare with the goals, and fail where they are missed"),
                ]),
        ])

    static func main() {
        switch program.parse(Array(CommandLine.arguments.dropFirst())) {
        case .help(let text): finish(.success, text)
        case .version(let text): finish(.success, text + "\n")
        case .usageError(let text): finish(.usage, text + "\n")
        case .run(let invocation):
            do throws(BenchmarkError) {
                let isReached =
                    switch invocation.command {
                    case "gpsd-agreement": try agreement(invocation)
                    case "policy": try policy(invocation)
                    case "nmea": try nmea(invocation)
                    case "reporting": try reporting(invocation)
                    case "outbox": try outbox(invocation)
                    case "encoding": try encoding(invocation)
                    default: try pipeline(invocation)
                    }
                finish(isReached ? .success : .failure, "")
            } catch {
                finish(.failure, "fixcast-bench: \(error.message)\n")
            }
        }
    }

    /// Answers whether the goals are reached, if they are asked for.
    private static func pipeline(_ invocation: Invocation) throws(BenchmarkError) -> Bool {
        var settings = PipelineBenchmark.Settings(programs: programs())
        settings.fixes = try number(invocation, "fixes", 1...2_000_000) ?? settings.fixes
        settings.rounds = try number(invocation, "rounds", 1...99) ?? settings.rounds
        for name in ["fixcast-agent", "bench-publish-c"] {
            guard unsafe access("\(settings.programs)/\(name)", X_OK) == 0 else {
                throw BenchmarkError(
                    "there is no \(name) in \(settings.programs); build it with: swift build -c release")
            }
        }
        Interruption.install()
        let directory = try Files.makeTemporaryDirectory()
        defer { Files.remove(directory) }
        let broker = try Broker(in: directory)
        let benchmark = PipelineBenchmark(settings: settings, directory: directory, port: broker.port)
        let comparisons = try benchmark.run()
        write(benchmark.report(comparisons) + "\n", to: 1)
        guard invocation.isGiven("check") else { return true }
        let verdict = benchmark.verdict(comparisons)
        write(verdict.text + "\n", to: 1)
        return verdict.isReached
    }

    /// Answers whether every difference is explained, if that is asked for.
    private static func agreement(_ invocation: Invocation) throws(BenchmarkError) -> Bool {
        guard let directory = data("gpsd-nmea") else { return true }
        let benchmark = try AgreementBenchmark(directory: directory, version: invocation["gpsd"] ?? "327")
        write(benchmark.report(listing: invocation.isGiven("list")) + "\n", to: 1)
        guard invocation.isGiven("check") else { return true }
        write("\nunexplained differences: \(benchmark.unexplained), goal: 0\n", to: 1)
        return benchmark.unexplained == 0
    }

    /// Answers whether the goals are reached, if they are asked for.
    private static func policy(_ invocation: Invocation) throws(BenchmarkError) -> Bool {
        guard let directory = invocation["tracks"] ?? data("tracks/csv") else { return true }
        let benchmark = try PolicyBenchmark(directory: directory)
        let rows = benchmark.rows(over: benchmark.real)
        write(benchmark.perTrack() + "\n\n" + benchmark.report(rows, over: benchmark.real) + "\n", to: 1)
        if let file = invocation["chart"] { try Files.write(Array(benchmark.chart(rows).utf8), to: file) }
        guard invocation.isGiven("check") else { return true }
        let verdict = benchmark.verdict()
        write(verdict.text + "\n", to: 1)
        return verdict.isReached
    }

    /// A directory of recorded data; where it is absent, says that the measurement is skipped.
    private static func data(_ name: String) -> String? {
        let root = unsafe getenv("FIXCAST_DATA").map { unsafe String(cString: $0) } ?? "../shared/data"
        let directory = "\(root)/\(name)"
        if Files.exists(directory) { return directory }
        write("skipped: there is no \(directory); set FIXCAST_DATA\n", to: 1)
        return nil
    }

    /// Answers whether the goals are reached, if they are asked for.
    private static func nmea(_ invocation: Invocation) throws(BenchmarkError) -> Bool {
        var settings = NMEABenchmark.Settings()
        settings.rounds = try number(invocation, "rounds", 1...99) ?? settings.rounds
        let benchmark = NMEABenchmark(settings: settings)
        let result = try benchmark.run()
        write(benchmark.report(result) + "\n", to: 1)
        guard invocation.isGiven("check") else { return true }
        let verdict = benchmark.verdict(result)
        write("\n" + verdict.text + "\n", to: 1)
        return verdict.isReached
    }

    /// Answers whether the goals are reached, if they are asked for.
    private static func reporting(_ invocation: Invocation) throws(BenchmarkError) -> Bool {
        var settings = ReportingBenchmark.Settings()
        settings.rounds = try number(invocation, "rounds", 1...99) ?? settings.rounds
        let benchmark = ReportingBenchmark(settings: settings)
        let results = benchmark.run()
        write(benchmark.report(results) + "\n", to: 1)
        guard invocation.isGiven("check") else { return true }
        let verdict = benchmark.verdict(results)
        write("\n" + verdict.text + "\n", to: 1)
        return verdict.isReached
    }

    /// Answers whether the goals are reached, if they are asked for.
    private static func outbox(_ invocation: Invocation) throws(BenchmarkError) -> Bool {
        let reports = try number(invocation, "reports", 1...2_000_000)
        if let name = invocation["part"] {
            guard let part = OutboxPart(rawValue: name), let directory = invocation["directory"] else {
                throw BenchmarkError("--part takes one of the names that --help lists, with a --directory")
            }
            let port = UInt16(try number(invocation, "port", 1...65_535) ?? 1883)
            let values = try part.run(.init(directory: directory, reports: reports ?? 604_800, port: port))
            write(values.map { "\($0.name)=\($0.value)\n" }.joined(), to: 1)
            return true
        }
        var settings = OutboxBenchmark.Settings(program: "\(programs())/fixcast-bench")
        settings.reports = reports ?? settings.reports
        settings.rounds = try number(invocation, "rounds", 1...99) ?? settings.rounds
        Interruption.install()
        let directory = try Files.makeTemporaryDirectory()
        defer { Files.remove(directory) }
        let broker = try Broker(in: directory)
        let benchmark = OutboxBenchmark(settings: settings, directory: directory, port: broker.port)
        let result = try benchmark.run()
        write(benchmark.report(result) + "\n", to: 1)
        guard invocation.isGiven("check") else { return true }
        let verdict = benchmark.verdict(result)
        write("\n" + verdict.text + "\n", to: 1)
        return verdict.isReached
    }

    /// Answers whether the goals are reached, if they are asked for.
    private static func encoding(_ invocation: Invocation) throws(BenchmarkError) -> Bool {
        guard let directory = invocation["tracks"] ?? data("tracks/csv") else { return true }
        var settings = EncodingBenchmark.Settings()
        settings.rounds = try number(invocation, "rounds", 1...99) ?? settings.rounds
        let benchmark = try EncodingBenchmark(directory: directory, settings: settings)
        let sizes = try benchmark.sizes()
        write(benchmark.report(sizes, benchmark.sizesPerTrack(), try benchmark.costs()) + "\n", to: 1)
        guard invocation.isGiven("check") else { return true }
        let verdict = benchmark.verdict(sizes)
        write("\n" + verdict.text + "\n", to: 1)
        return verdict.isReached
    }

    private static func number(
        _ invocation: Invocation, _ option: String, _ range: ClosedRange<Int>
    ) throws(BenchmarkError) -> Int? {
        guard let text = invocation[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw BenchmarkError(
                "--\(option) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// Where this program is; the others are built beside it.
    private static func programs() -> String {
        var path = [UInt8](repeating: 0, count: 4096)
        let count = unsafe path.withUnsafeMutableBytes { buffer in
            unsafe readlink("/proc/self/exe", buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        let parts = String(decoding: path.prefix(max(0, count)), as: UTF8.self).split(separator: "/")
        return "/" + parts.dropLast().joined(separator: "/")
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { buffer in _ = unsafe writeBytes(descriptor, buffer.baseAddress, buffer.count) }
    }

    private static func finish(_ code: ExitCode, _ text: String) -> Never {
        write(text, to: code == .success ? 1 : 2)
        exit(code.rawValue)
    }
}

// Within `Main` the name means its own function.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
