internal import EventLoop
internal import LocationProviders
internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Writes a provider's raw stream with the times at which it came, so that what happened on a vehicle can be replayed.
public struct Recorder {
    /// Why nothing, or not all, could be recorded.
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The recording's file is there already, or cannot be made.
        case cannotCreate(String)
        /// The disk is full, or whoever read the output is gone.
        case cannotWrite(String)
        /// The configured file cannot be read.
        case noInput(String)
        /// The system has no descriptors left.
        case noLoop

        public var description: String {
            switch self {
            case .cannotCreate(let message), .cannotWrite(let message), .noInput(let message): message
            case .noLoop: "the system has no file descriptors left"
            }
        }
    }

    /// What was recorded.
    public struct Summary: Equatable, Sendable, CustomStringConvertible {
        public var bytes: UInt64 = 0
        /// Of the stream; LF, CR and CRLF end one.
        public var lines: UInt64 = 0
        public var seconds: Double = 0
        /// Whether the source was ever there.
        public var wasConnected = false

        public var description: String {
            let length = (seconds * 10).rounded() / 10
            return wasConnected
                ? "recorded \(bytes) bytes, \(lines) lines, in \(length) s"
                : "recorded nothing in \(length) s: the source was never there"
        }
    }

    private let settings: RecorderSettings
    private let output: String?
    private let overwrites: Bool
    private let duration: Duration?

    /// - Parameters:
    ///   - output: a path; the standard output where `nil`.
    ///   - overwrites: whether a file that is there may be lost.
    ///   - duration: when to stop at the latest.
    public init(_ settings: RecorderSettings, output: String?, overwrites: Bool, duration: Duration?) {
        self.settings = settings
        self.output = output
        self.overwrites = overwrites
        self.duration = duration
    }

    /// Serves the calling thread until SIGTERM, SIGINT, the end of the source or of the time.
    public func run() throws(Failure) -> Summary {
        let loop: EventLoop
        do throws(EventLoopError) { loop = try EventLoop() } catch { throw .noLoop }
        let recording = RecordingInProgress(
            kind: settings.kind, name: output ?? "the standard output", file: try openOutput())
        let log = AgentLog(level: settings.logLevel, format: settings.logFormat)
        // The end of a file tells itself before its last event.
        let reporter = ProviderReporter(log: log) { _ in loop.execute { loop.stop() } }
        let provider: any LocationProvider
        do throws(ReplayError) {
            provider = try settings.provider.makeProvider(
                on: loop, notify: { reporter.tell($0) },
                tap: { event in
                    recording.take(event)
                    if recording.failure != nil { loop.stop() }
                })
        } catch {
            throw .noInput(error.description)
        }
        let stop: @Sendable () -> Void = {
            provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
            loop.execute { loop.stop() }
        }
        for signal in [SIGTERM, SIGINT] { loop.onSignal(signal, stop) }
        if let duration { loop.schedule(at: EventLoop.now() + duration.wholeNanoseconds, stop) }
        recording.begin()
        provider.setCallbacks(locationCallback: { _ in }, availabilityCallback: nil)
        if recording.failure == nil { loop.run() }
        // A program of `provider.command` may still be about to end.
        RunningCommands.endAll()
        return try recording.finish()
    }

    private func openOutput() throws(Failure) -> RecordingFile {
        guard let output else { return RecordingFile() }
        do throws(RecordingFile.Failure) {
            return try RecordingFile(path: output, overwrites: overwrites)
        } catch {
            throw .cannotCreate(
                error.errno == EEXIST
                    ? "\(output): is there already; name another file, or overwrite it with --force"
                    : "\(output): cannot be made: \(error.reason)")
        }
    }
}

/// The recording while it is made.
///
/// Sendable because it is confined to the loop's thread, where providers call their taps, and to the one that sets the
/// loop up and serves it.
private final class RecordingInProgress: @unchecked Sendable {
    private let name: String
    private let file: RecordingFile
    private let writer: RecordingWriter
    private let start: MonotonicInstant
    private var buffer: [UInt8] = []
    private var summary = Recorder.Summary()
    private var endsWithReturn = false
    private(set) var failure: RecordingFile.Failure?

    init(kind: RecordingKind, name: String, file: RecordingFile) {
        self.name = name
        self.file = file
        start = MonotonicInstant(nanoseconds: EventLoop.now())
        let utc = ClockTrust.trusted(UTCInstant(milliseconds: EventLoop.wallClock()))
        writer = RecordingWriter(kind, start: start, utc: utc)
    }

    private var now: MonotonicInstant { MonotonicInstant(nanoseconds: EventLoop.now()) }

    func begin() {
        writer.begin(&buffer)
        flush()
    }

    func take(_ event: RawStreamEvent) {
        switch event {
        case .connected:
            summary.wasConnected = true
            writer.append(.connected, at: now, to: &buffer)
        case .disconnected: writer.append(.disconnected, at: now, to: &buffer)
        case .bytes(let bytes):
            count(bytes)
            writer.append(bytes.span, at: now, to: &buffer)
        }
        flush()
    }

    private func count(_ bytes: [UInt8]) {
        summary.bytes += UInt64(bytes.count)
        for byte in bytes {
            if byte == 13 || (byte == 10 && !endsWithReturn) { summary.lines += 1 }
            endsWithReturn = byte == 13
        }
    }

    private func flush() {
        defer { buffer.removeAll(keepingCapacity: true) }
        guard failure == nil else { return }
        do throws(RecordingFile.Failure) {
            try file.write(buffer)
        } catch {
            failure = error
        }
    }

    func finish() throws(Recorder.Failure) -> Recorder.Summary {
        do throws(RecordingFile.Failure) {
            if let failure { throw failure }
            try file.finish()
        } catch {
            throw .cannotWrite("\(name): cannot be written: \(error.reason)")
        }
        summary.seconds = Double((now - start).wholeMilliseconds) / 1000
        return summary
    }
}
