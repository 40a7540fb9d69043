import FixcastTestKit
import FleetWire
import Foundation
import LocationProviders
import Positioning
import Synchronization
import Testing

/// A command provider on a loop of its own with what it told.
final class CommandScene: Sendable {
    let thread: LoopThread
    let provider: CommandProvider
    let directory: TemporaryDirectory
    let locations = Mutex<[Location]>([])
    let availabilities = Mutex<[Availability]>([])
    let notices: Box
    /// How often the program was started.
    let starts = Starts()

    final class Starts: Sendable { let count = Mutex(0) }
    final class Box: Sendable { let all = Mutex<[ProviderNotice]>([]) }

    /// Runs a shell script; `$1` is the directory.
    init(_ script: String, silence: Duration = .seconds(60), directory: TemporaryDirectory? = nil) throws {
        self.directory = try directory ?? TemporaryDirectory()
        let file = try self.directory.write(script, to: "program.sh")
        let box = Box()
        notices = box
        let starts = starts
        thread = try LoopThread()
        provider = CommandProvider(
            loop: thread.loop,
            settings: CommandSettings(run: ["/bin/sh", file, self.directory.path], silence: silence),
            notify: { notice in box.all.withLock { $0.append(notice) } },
            tap: { event in if event == .connected { starts.count.withLock { $0 += 1 } } })
    }

    func follow() {
        provider.setCallbacks(
            locationCallback: { [weak self] location in self?.locations.withLock { $0.append(location) } },
            availabilityCallback: { [weak self] news in self?.availabilities.withLock { $0.append(news) } })
    }

    func stop() { provider.setCallbacks(locationCallback: nil, availabilityCallback: nil) }

    /// The process numbers that the script wrote.
    func pids(_ name: String) -> [Int32] {
        let text = (try? String(contentsOf: directory.file(name), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { Int32($0) }
    }

    func isAlive(_ pid: Int32) -> Bool { kill(pid, 0) == 0 }
}

@Suite(.timeLimit(.minutes(3))) struct CommandTests {
    static let place = #"{"lat":54.5,"lon":3.5,"hacc":5}"#

    @Test func aProgramIsRunReadAndStartedAgainWhenItEnds() async throws {
        let scene = try CommandScene(
            "echo $$ >>\"$1/pids\"; echo '\(Self.place)'; echo nonsense; echo oops >&2; exit 3")
        scene.follow()
        #expect(await eventually { scene.pids("pids").count >= 3 && scene.locations.withLock { $0.count } >= 3 })
        scene.stop()
        #expect(scene.availabilities.withLock { $0.contains(.available) && $0.contains(.unavailable(.providerDown)) })
        let notices = scene.notices.all.withLock { $0 }
        #expect(notices.contains(.commandDelivers(name: "/bin/sh")))
        #expect(notices.contains(.commandEnded(name: "/bin/sh", .status(3))))
        #expect(notices.contains(.commandGarbage(name: "/bin/sh")))
        #expect(notices.contains(.commandSays(name: "/bin/sh", text: "oops", suppressed: 0)))
        // None of them is a zombie.
        #expect(await eventually { !scene.pids("pids").contains { scene.isAlive($0) } })
    }

    @Test func stoppingEndsTheProgramAndAllThatItStarted() async throws {
        let scene = try CommandScene(
            "sleep 1000 & echo $! >>\"$1/pids\"; echo $$ >>\"$1/pids\"; echo '\(Self.place)'; wait")
        scene.follow()
        #expect(await eventually { scene.locations.withLock { $0.count } == 1 })
        let pids = scene.pids("pids")
        #expect(pids.count == 2 && pids.allSatisfy { scene.isAlive($0) })
        scene.stop()
        #expect(await eventually { !pids.contains { scene.isAlive($0) } })
        // It is not started again.
        scene.follow()
        #expect(await eventually { scene.pids("pids").count == 4 })
        scene.stop()
        #expect(await eventually { !scene.pids("pids").contains { scene.isAlive($0) } })
    }

    @Test func aProgramThatDoesNotWantToEndIsKilled() async throws {
        let scene = try CommandScene(
            "trap '' TERM; echo $$ >>\"$1/pids\"; echo '\(Self.place)'; while :; do sleep 0.1; done")
        scene.follow()
        #expect(await eventually { scene.locations.withLock { $0.count } == 1 })
        let pid = try #require(scene.pids("pids").first)
        let begin = ContinuousClock.now
        scene.stop()
        #expect(await eventually { !scene.isAlive(pid) })
        #expect(ContinuousClock.now - begin > .seconds(1))
    }

    @Test func aDroppedProviderLeavesNothingRunning() async throws {
        let thread = try LoopThread()
        let directory = try TemporaryDirectory()
        let file = directory.file("pid").path
        var provider: CommandProvider? = CommandProvider(
            loop: thread.loop, settings: CommandSettings(run: ["/bin/sh", "-c", "echo $$ >\(file); exec sleep 1000"]))
        provider?.setCallbacks(locationCallback: { _ in }, availabilityCallback: nil)
        @Sendable func pid() -> Int32? {
            (try? String(contentsOfFile: file, encoding: .utf8)).flatMap { Int32($0.trimmingPrefix(" ").dropLast()) }
        }
        #expect(await eventually { pid() != nil })
        let started = try #require(pid())
        await thread.run {}
        provider = nil
        #expect(await eventually { kill(started, 0) != 0 })
    }

    @Test func itInheritsNoDescriptorNoBlockedSignalAndNoInput() async throws {
        let leaky = unsafe open("/dev/null", O_RDONLY)
        defer { close(leaky) }
        let scene = try CommandScene(
            "ls /proc/self/fd >\"$1/fds\"; grep -E 'Sig(Blk|Ign)' /proc/self/status >\"$1/signals\"; cat >\"$1/input\"; echo '\(Self.place)'; exec sleep 1000"
        )
        scene.follow()
        #expect(await eventually { scene.locations.withLock { $0.count } == 1 })
        scene.stop()
        func text(_ name: String) throws -> String {
            try String(contentsOf: scene.directory.file(name), encoding: .utf8)
        }
        // The directory that ls reads is the fourth; the shell has its script open besides.
        #expect(try text("fds").split(separator: "\n").count <= 5)
        #expect(try !text("fds").split(separator: "\n").contains("\(leaky)") || leaky < 5)
        #expect(try text("input").isEmpty)
        // glibc ignores its own two signals in what it spawns.
        let signals = try text("signals").split(separator: "\n").map { UInt64($0.suffix(16), radix: 16) ?? .max }
        #expect(signals.map { $0 & ~0x1_8000_0000 } == [0, 0])
    }

    @Test func silenceIsNoFixAndAPauseHoldsThePositionsBack() async throws {
        let scene = try CommandScene(
            "echo '\(Self.place)'; while [ ! -e \"$1/go\" ]; do sleep 0.05; done; echo '\(Self.place)'; exec sleep 1000",
            silence: .seconds(1))
        scene.follow()
        #expect(await eventually { scene.availabilities.withLock { $0.last } == .unavailable(.noFix) })
        #expect(scene.notices.all.withLock { $0.contains(.commandSilent(name: "/bin/sh")) })
        await scene.thread.run { scene.provider.setPaused(true) }
        _ = try scene.directory.write("", to: "go")
        try await Task.sleep(for: .milliseconds(300))
        #expect(scene.locations.withLock { $0.count } == 1)
        await scene.thread.run { scene.provider.setPaused(false) }
        #expect(await eventually { scene.locations.withLock { $0.count } == 2 })
        scene.stop()
    }

    @Test func whatCannotBeStartedIsTold() async throws {
        let thread = try LoopThread()
        let notices = CommandScene.Box()
        let provider = CommandProvider(
            loop: thread.loop, settings: CommandSettings(run: ["/nowhere/program"]),
            notify: { notice in notices.all.withLock { $0.append(notice) } })
        provider.setCallbacks(locationCallback: { _ in }, availabilityCallback: nil)
        #expect(
            await eventually {
                notices.all.withLock { $0 } == [.commandFailed(name: "/nowhere/program", errno: ENOENT)]
            })
        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
    }

    @Test func anAgentThatStopsLeavesNoProgramBehind() async throws {
        let broker = try await MosquittoBroker()
        let directory = broker.directory
        let script = try directory.write(
            "trap '' TERM; echo $$ >\"$1/pid\"; while :; do echo '\(Self.place)'; sleep 0.2; done", to: "program.sh")
        let agent = try AgentProcess(
            """
            vehicle: van-042
            provider: { type: command, command: { run: [ /bin/sh, \(script), \(directory.path) ] } }
            mqtt: { url: "mqtt://127.0.0.1:\(broker.port)" }
            """, directory: directory)
        let subscriber = try await Subscriber(broker)
        #expect(await subscriber.sees { $0.state.availability == .available })
        let text = try String(contentsOf: directory.file("pid"), encoding: .utf8)
        let pid = try #require(Int32(text.dropLast()))
        agent.child.send(SIGTERM)
        #expect(await agent.child.wait() == 0)
        #expect(kill(pid, 0) != 0)
        #expect(await subscriber.sees { $0.state.availability == .unavailable(.stopped) })
    }

    @Test func theExampleForModemManagerTellsWhatMmcliSays() async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let directory = try TemporaryDirectory()
        let answers = [
            #"{"modem":{"location":{"3gpp":{"cid":"--"},"gps":{"altitude":"34.500000","latitude":"54.500000","longitude":"-3.250000","nmea":["$GPGSA,A,3,01,,,,,,,,,,,,2.0,1.1,2.0*00","$GPGGA,120000.00,5430.0,N,00315.0,W,1,08,1.1,34.5,M,45.0,M,,*00"],"utc":"120000.00"}}}}"#,
            #"{"modem":{"location":{"gps":{"altitude":"34.500000","latitude":"54.500000","longitude":"-3.250000","nmea":["$GPGGA,120001.00,5430.0,N,00315.0,W,0,00,99.9,,M,,M,,*00"]}}}}"#,
            #"{"modem":{"location":{"gps":{"altitude":"--","latitude":"--","longitude":"--","nmea":[],"utc":"--"}}}}"#,
        ]
        for (index, answer) in answers.enumerated() { _ = try directory.write(answer + "\n", to: "answer\(index)") }
        _ = try directory.write(
            """
            #!/bin/sh
            cd '\(directory.path)'
            case "$*" in *--location-enable*) echo "$*" >>calls; exit 0 ;; esac
            count=$(cat count 2>/dev/null || echo 0); echo $((count + 1)) >count
            [ -e "answer$count" ] || exit 1
            cat "answer$count"
            """, to: "script")
        // Copied by another process: a program that this one has just written may still be open in a child of another test.
        let copy = try ChildProcess(
            "cp", [directory.file("script").path, directory.file("mmcli").path], directory: directory)
        #expect(await copy.wait() == 0)
        unsafe chmod(directory.file("mmcli").path, 0o755)
        let path = "\(directory.path):" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let child = try ChildProcess(
            root.appendingPathComponent("config/modemmanager").path, ["7", "0"], directory: directory,
            environment: ["PATH": path])
        #expect(await child.wait() == 1)
        #expect(
            child.standardOutput == """
                {"lat":54.500000,"lon":-3.250000,"alt":34.500000,"sats":8,"hdop":1.1}
                {"fix":"none"}
                {"fix":"none"}
                {"error":"the modem does not answer"}

                """)
        let calls = try String(contentsOf: directory.file("calls"), encoding: .utf8)
        #expect(calls == "-m 7 --location-enable-gps-raw --location-enable-gps-nmea\n")
    }
}

/// The program prints what is written into a FIFO. JSON knows no NaN, so incorrect coordinates are the unit tests'
/// business.
final class CommandHarness: ProviderHarness {
    static let capabilities: HarnessCapabilities = [
        .chosenPositions, .unusableAccuracy, .unavailability, .batches,
    ]

    let provider: any LocationProvider
    private let scene: CommandScene
    private let descriptor: Int32

    init() throws {
        let directory = try TemporaryDirectory()
        let fifo = directory.file("fifo").path
        guard unsafe mkfifo(fifo, 0o600) == 0 else { throw POSIXError(.EIO) }
        // For reading and writing, so that neither end waits for the other.
        descriptor = unsafe open(fifo, O_RDWR | O_CLOEXEC)
        scene = try CommandScene("echo $$ >>\"$1/pids\"; exec cat \"$1/fifo\"", directory: directory)
        provider = scene.provider
    }

    var patience: Duration { .seconds(20) }

    func inject(_ location: Location) async throws { try await inject(batch: [location]) }
    func inject(batch: [Location]) async throws { send(batch.map(line).joined()) }

    func makeAvailable() async throws {
        await scene.thread.run {}
        // A program that is about to end must not take what is for the next.
        let isAlone = await eventually { [scene] in
            let pids = scene.pids("pids")
            return pids.count == scene.starts.count.withLock { $0 }
                && pids.filter { scene.isAlive($0) } == pids.suffix(1)
        }
        guard isAlone else { throw POSIXError(.ESRCH) }
        send(line(sample(-1)))
    }

    func makeUnavailable(_ reason: UnavailabilityReason) async throws { send("{\"fix\":\"none\"}\n") }
    func settle() async throws { await scene.thread.run {} }

    func shutDown() async {
        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        close(descriptor)
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    }

    private func line(_ location: Location) -> String {
        var line = "{\"lat\":\(location.coordinate.latitude),\"lon\":\(location.coordinate.longitude)"
        if let time = location.timestamp {
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            line +=
                ",\"time\":\"\(formatter.string(from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)))\""
        }
        if let accuracy = location.horizontalAccuracy, accuracy.isFinite { line += ",\"hacc\":\(accuracy)" }
        return line + "}\n"
    }
}

@Suite(.serialized) struct CommandConformanceTests {
    @Test(arguments: ProviderConformance.rules(for: CommandHarness.capabilities))
    func conforms(_ rule: ProviderConformance.Rule) async throws { try await rule.check(try CommandHarness()) }
}
