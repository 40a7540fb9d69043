public import Evaluation
internal import EventLoop
internal import FleetWire
internal import LocationProviders
internal import MosquittoTransport
internal import Outbox
internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A running agent: the loop, the pipeline on it, and the signals that stop it.
public struct Agent {
    /// Why an agent cannot start.
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The configured log to replay cannot be read.
        case noInput(String)
        /// Another agent holds the state directory.
        case directoryInUse(String)
        /// The system has no descriptors left.
        case noLoop

        public var description: String {
            switch self {
            case .noInput(let message): message
            case .directoryInUse(let path):
                "\(path): another agent runs with this outbox.directory; each agent needs its own"
            case .noLoop: "the system has no file descriptors left"
            }
        }
    }

    private let settings: AgentSettings
    private let stopsAtEnd: Bool

    /// - Parameter stopsAtEnd: stop cleanly when a replay has come to its end.
    public init(_ settings: AgentSettings, stopsAtEnd: Bool = false) {
        self.settings = settings
        self.stopsAtEnd = stopsAtEnd
    }

    /// Serves the calling thread until SIGTERM, SIGINT, or the end of the replay; then everything is said and closed.
    /// Throws also where the end of the replay was waited for and the log broke off.
    public func run() throws(Failure) {
        let loop: EventLoop
        do throws(EventLoopError) { loop = try EventLoop() } catch { throw .noLoop }
        // A file that is not there has no end to wait for.
        if stopsAtEnd { _ = try examineSources() }
        let log = AgentLog(level: settings.logLevel, format: settings.logFormat)
        let state = try openState(log)
        let end = EndOfReplay()
        let pipeline = try makePipeline(loop, state, log, end)
        for signal in [SIGTERM, SIGINT] { loop.onSignal(signal) { pipeline.stop() } }
        loop.execute { pipeline.start() }
        loop.run()
        // A program of `provider.command` may still be about to end.
        RunningCommands.endAll()
        if stopsAtEnd, let failure = end.failure { throw .noInput(failure.description) }
    }

    /// Opens the log to replay, if one is configured, as `run` would, and looks whether a file or a serial port can be
    /// read; takes no directory and connects to nothing.
    ///
    /// - Returns: what may be wrong, or is not yet there, in a line each.
    @discardableResult
    public func check() throws(Failure) -> [String] {
        let loop: EventLoop
        do throws(EventLoopError) { loop = try EventLoop() } catch { throw .noLoop }
        _ = try makeProvider(
            ProviderMaking(loop: loop, notify: { _ in }, remoteNotify: { _ in }, chosen: { _ in }))
        return try examineSources()
    }

    /// A file must be there; a serial port may be plugged in later.
    private func examineSources() throws(Failure) -> [String] {
        var remarks: [String] = []
        for source in settings.provider.nmeaSources {
            guard let failure = source.examine() else { continue }
            let text = "\(source): \(ProviderReporter.text(failure, of: source))"
            if case .file = source { throw .noInput(text) }
            remarks.append(text + "; the agent looks for it while it runs")
        }
        return remarks
    }

    /// What the agent would make of a recorded drive: each report and each rejection with its reason, and the totals.
    ///
    /// - Parameter replay: the log; without it the configured one.
    /// - Returns: the text in `format`.
    public func explain(replay file: String?, format: ExplainFormat) throws(Failure) -> String {
        var (replay, common) = (ReplaySettings(file: file ?? ""), CommonProviderSettings())
        if case .local(let local) = settings.provider {
            common = local.common
            if case .replay(let configured) = local.source, file == nil { replay = configured }
        }
        guard !replay.file.isEmpty else {
            throw .noInput("no log is given; write --replay FILE, or configure provider.type: replay")
        }
        var explanation = Explanation(
            title: "\(settings.vehicle): \(replay.file)", policy: settings.policy)
        do throws(ReplayError) {
            try LocationLog.read(replay, common: common) { event in
                switch event {
                case .fix(let location): explanation.receive(location)
                case .gap(let time): explanation.gap(at: time)
                }
            }
        } catch {
            throw .noInput(error.description)
        }
        explanation.finish()
        return explanation.formatted(format)
    }

    private func openState(_ log: AgentLog) throws(Failure) -> StateDirectory {
        var generator = SystemRandomNumberGenerator()
        let state: StateDirectory
        do throws(StateDirectory.Failure) {
            state = try StateDirectory(settings.outbox.directory, using: &generator)
        } catch {
            throw .directoryInUse(settings.outbox.directory)
        }
        for finding in state.findings {
            switch finding {
            case .notDurable(let path, let reason):
                log(
                    .warning, "identity",
                    "\(path) cannot be written (\(reason)); each start is a new instance to subscribers; set outbox.directory"
                )
            case .damaged(let path): log(.warning, "identity", "\(path) is damaged; taking a new instance")
            }
        }
        return state
    }

    private func makePipeline(
        _ loop: EventLoop, _ state: StateDirectory, _ log: AgentLog, _ end: EndOfReplay
    ) throws(Failure) -> AgentPipeline {
        let reporter = ProviderReporter(log: log) { end.reached($0) }
        let provider = try makeProvider(
            ProviderMaking(
                loop: loop, notify: { reporter.tell($0) }, remoteNotify: { reporter.tell($0) },
                chosen: { reporter.tellChoice($0) }))
        let mqtt = settings.mqtt
        let pipeline = AgentPipeline(
            settings: settings, state: state, loop: loop, clock: LoopScheduler(loop), log: log, provider: provider,
            makeTransport: { pipeline in
                MosquittoTransport(configuration: mqtt, loop: loop) { pipeline.will(connection: $0) }
            }, finished: { loop.stop() })
        if stopsAtEnd { end.pipeline = pipeline }
        return pipeline
    }

    private func makeProvider(_ making: ProviderMaking) throws(Failure) -> any LocationProvider {
        do throws(ReplayError) {
            return try making.make(settings.provider)
        } catch {
            throw .noInput(error.description)
        }
    }
}

/// Stops the pipeline once the replay is over.
///
/// Sendable because it is confined to the loop's thread, where providers tell their notices.
private final class EndOfReplay: @unchecked Sendable {
    var pipeline: AgentPipeline?
    /// What broke the replay off.
    private(set) var failure: ReplayError?

    func reached(_ failure: ReplayError?) {
        self.failure = failure
        pipeline?.stopWhenDelivered()
    }
}
