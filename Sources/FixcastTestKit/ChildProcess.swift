public import Foundation

/// A program that a test started: its output in files of a temporary directory, ended by pid.
///
/// Sendable because `Process` is only touched under `lock`.
public final class ChildProcess: @unchecked Sendable {
    private let process = Process()
    private let lock = NSLock()
    public let output: URL
    public let errors: URL

    /// Starts `executable` (looked up in PATH and the sbin directories when it is a bare name).
    ///
    /// - Throws: what `Process.run()` throws, or ``NotInstalled``.
    public init(
        _ executable: String, _ arguments: [String], directory: TemporaryDirectory,
        environment: [String: String] = [:]
    ) throws {
        let name = (executable as NSString).lastPathComponent
        output = directory.file("\(name)-\(UUID().uuidString.prefix(8)).out")
        errors = directory.file("\(name)-\(UUID().uuidString.prefix(8)).err")
        for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        process.executableURL = URL(fileURLWithPath: try ChildProcess.find(executable))
        process.arguments = arguments
        process.currentDirectoryURL = directory.url
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    deinit { kill() }

    public var pid: Int32 { lock.withLock { process.processIdentifier } }
    public var isRunning: Bool { lock.withLock { process.isRunning } }
    public var standardOutput: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
    public var standardError: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    public func send(_ signal: Int32) {
        guard isRunning else { return }
        _ = Foundation.kill(pid, signal)
    }

    /// Ends it at once, also when it is stopped, and waits until it is gone.
    public func kill() {
        send(SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for it to end by itself.
    ///
    /// - Returns: the exit code, 128 + signal where a signal ended it, or `nil` when `deadline` passed.
    public func wait(seconds: Double = 20) async -> Int32? {
        let ended = await eventually(seconds: seconds) { !self.isRunning }
        guard ended else { return nil }
        let status = lock.withLock { process.terminationStatus }
        return process.terminationReason == .uncaughtSignal ? 128 + status : status
    }

    private static func find(_ executable: String) throws -> String {
        if executable.contains("/") { return executable }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        for directory in path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin", "/opt/homebrew/sbin"] {
            let candidate = directory + "/" + executable
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
        }
        throw NotInstalled(executable: executable)
    }

    /// A program that a test needs is missing.
    public struct NotInstalled: Error, CustomStringConvertible {
        public let executable: String
        public var description: String { "\(executable) is not installed; deploy/test installs what the tests need" }
    }
}
