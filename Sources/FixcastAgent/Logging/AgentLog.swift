internal import EventLoop

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Writes the agent's log to standard error. Confined to the loop's thread.
final class AgentLog {
    private let level: LogLevel
    private let format: LogFormat
    private let output: ([UInt8]) -> Void
    private var filter = RepeatFilter()

    init(level: LogLevel, format: LogFormat, output: @escaping ([UInt8]) -> Void = AgentLog.toStandardError) {
        self.level = level
        self.format = format
        self.output = output
    }

    func callAsFunction(_ level: LogLevel, _ code: String, _ message: @autoclosure () -> String) {
        guard level >= self.level else { return }
        let entry = LogEntry(level, code, message())
        guard let passed = filter.pass(entry, now: EventLoop.now()) else { return }
        output(passed.line(format, at: EventLoop.wallClock()))
    }

    private static func toStandardError(_ line: [UInt8]) {
        // A log that cannot be written must not stop the agent.
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
