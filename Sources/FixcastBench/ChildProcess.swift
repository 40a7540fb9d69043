#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What a process cost, as the kernel accounts it, and the most private memory that was seen.
struct Usage {
    /// User and system time, seconds.
    var cpu: Double
    /// Anonymous resident memory (RssAnon), bytes; nil where it was never seen.
    var privateMemory: Int?
    var voluntarySwitches: Int
    /// Wall time, seconds.
    var duration: Double
}

/// A program that the benchmark starts, accounts and ends.
struct ChildProcess: ~Copyable {
    let pid: pid_t
    private let name: String
    private let log: String
    private let start = Clock.now()
    private var isReaped = false
    private var privateMemory: Int?

    /// Starts a program; its output goes to the file `log`, or its standard output to `output`.
    init(_ arguments: [String], log: String, output: String? = nil) throws(BenchmarkError) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output ?? log, flags, 0o600)
        if output == nil {
            unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 2, log, flags, 0o600)
        }
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe argv.indices { unsafe free(argv[index]) } }
        var child = pid_t()
        let status = unsafe posix_spawnp(&child, arguments[0], &actions, nil, &argv, environ)
        guard status == 0 else {
            throw unsafe BenchmarkError("cannot start \(arguments[0]): \(String(cString: strerror(status)))")
        }
        pid = child
        name = arguments[0].split(separator: "/").last.map(String.init) ?? arguments[0]
        self.log = log
    }

    deinit {
        guard !isReaped else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    func terminate() { kill(pid, SIGTERM) }

    var isRunning: Bool { mutating get { !isReaped && waitpid(pid, nil, WNOHANG) == 0 } }

    /// Waits for the end, at most `seconds`; a status that is not 0 is an error, with the end of the log. Ask
    /// `isDone`, if the program does not end by itself, when to tell it.
    mutating func wait(seconds: Double, isDone: (() -> Bool)? = nil) throws(BenchmarkError) -> Usage {
        var isTold = false
        let deadline = Clock.now() + seconds
        while true {
            try Interruption.check()
            var status: Int32 = 0
            var usage = rusage()
            let ended = unsafe wait4(pid, &status, WNOHANG, &usage)
            if ended == pid {
                isReaped = true
                guard status == 0 else { throw BenchmarkError("\(name) failed (wait status \(status)):\n\(tail())") }
                return Usage(
                    cpu: usage.ru_utime.inSeconds + usage.ru_stime.inSeconds, privateMemory: privateMemory,
                    voluntarySwitches: usage.ru_nvcsw, duration: Clock.now() - start)
            }
            guard ended == 0 else { throw .system("lost sight of \(name)") }
            sampleMemory()
            if !isTold, isDone?() == true {
                isTold = true
                terminate()
            }
            guard Clock.now() < deadline else {
                throw BenchmarkError("\(name) has not ended within \(Int(seconds)) s:\n\(tail())")
            }
            Clock.sleep(milliseconds: 10)
        }
    }

    /// RssAnon has no high-water mark of its own in the kernel.
    private mutating func sampleMemory() {
        for line in Files.text("/proc/\(pid)/status").split(separator: "\n") where line.hasPrefix("RssAnon:") {
            let digits = line.filter { $0.isWholeNumber }
            if let kilobytes = Int(digits) { privateMemory = max(privateMemory ?? 0, kilobytes * 1024) }
        }
    }

    private func tail() -> String {
        Files.text(log).split(separator: "\n").suffix(10).joined(separator: "\n")
    }
}

extension timeval {
    fileprivate var inSeconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
