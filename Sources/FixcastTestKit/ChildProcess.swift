public import Foundation
internal import Synchronization

/// A program that a test started: its output in files of a temporary directory, ended by pid.
///
/// Spawned and waited for by system calls alone: no run loop that a busy machine could starve.
public final class ChildProcess: Sendable {
    public let pid: Int32
    public let output: URL
    public let errors: URL
    /// How it ended, as `waitpid` says it; `nil` while it runs.
    private let status = Mutex<Int32?>(nil)

    /// Starts `executable` (looked up in PATH and the sbin directories when it is a bare name) with no signal blocked
    /// or ignored.
    ///
    /// - Throws: ``NotInstalled``, or the system's error.
    public init(
        _ executable: String, _ arguments: [String], directory: TemporaryDirectory,
        environment: [String: String] = [:]
    ) throws {
        let name = (executable as NSString).lastPathComponent
        output = directory.file("\(name)-\(UUID().uuidString.prefix(8)).out")
        errors = directory.file("\(name)-\(UUID().uuidString.prefix(8)).err")
        let path = try ChildProcess.find(executable)
        pid = try unsafe ChildProcess.spawn(
            path, arguments, directory.path, output.path, errors.path,
            ProcessInfo.processInfo.environment.merging(environment) { $1 })
    }

    deinit { kill() }

    public var isRunning: Bool {
        status.withLock { status in
            if status == nil {
                var ended: Int32 = 0
                if unsafe waitpid(pid, &ended, WNOHANG) == pid { status = ended }
            }
            return status == nil
        }
    }

    public var standardOutput: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
    public var standardError: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    public func send(_ signal: Int32) {
        // Under the lock, so that the pid cannot be another's by now.
        status.withLock { status in if status == nil { _ = Foundation.kill(pid, signal) } }
    }

    /// Ends it at once, also when it is stopped, and waits until it is gone.
    public func kill() {
        status.withLock { status in
            guard status == nil else { return }
            _ = Foundation.kill(pid, SIGKILL)
            var ended: Int32 = 0
            while unsafe waitpid(pid, &ended, 0) == -1, errno == EINTR {}
            status = ended
        }
    }

    /// Waits for it to end by itself.
    ///
    /// - Returns: the exit code, 128 + signal where a signal ended it, or `nil` when `seconds` passed.
    public func wait(seconds: Double = 20) async -> Int32? {
        guard await eventually(seconds: seconds, { !self.isRunning }), let status = status.withLock({ $0 }) else {
            return nil
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    @unsafe private static func spawn(
        _ path: String, _ arguments: [String], _ directory: String, _ output: String, _ errors: String,
        _ environment: [String: String]
    ) throws -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // The shell changes the directory and becomes the program.
        let line = ["sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", directory, path] + arguments
        var words = unsafe line.map { unsafe strdup($0) } + [nil]
        var settings = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe settings.indices { unsafe free(settings[index]) }
        }
        var pid: pid_t = 0
        let code = unsafe posix_spawn(&pid, "/bin/sh", &actions, &attributes, &words, &settings)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
        return pid
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
