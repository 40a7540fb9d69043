internal import EventLoop
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A program in a process group of its own, with pipes for what it prints: started without a shell, ended with all
/// that it started, and always waited for. Confined to its loop.
final class CommandProcess {
    /// How long a program has to end when it is asked to, nanoseconds.
    static let patience: Int64 = 2_000_000_000
    /// How long one that closed its standard output has to end by itself, nanoseconds.
    private static let grace: Int64 = 500_000_000

    /// The reading ends of standard output and standard error; -1 once closed.
    private(set) var output: Int32
    private(set) var errors: Int32
    private let pid: pid_t
    private let loop: EventLoop
    private var isAsked = false
    private var isEnding = false

    /// - Throws: the system's error number.
    init(_ arguments: [String], on loop: EventLoop) throws(SpawnFailure) {
        self.loop = loop
        let (outputs, complaints) = try (Self.makePipe(), Self.makePipe())
        defer {
            close(outputs.writing)
            close(complaints.writing)
        }
        let code: Int32
        (pid, code) = Self.spawn(arguments, output: outputs.writing, errors: complaints.writing)
        (output, errors) = (outputs.reading, complaints.reading)
        guard code == 0 else {
            closePipes()
            throw SpawnFailure(errno: code)
        }
        RunningCommands.add(pid)
    }

    struct SpawnFailure: Error { var errno: Int32 }

    func closeErrors() {
        if errors >= 0 { close(errors) }
        errors = -1
    }

    private func closePipes() {
        if output >= 0 { close(output) }
        output = -1
        closeErrors()
    }

    /// Lets the program end: at once where `isWanted` is false, else after it had the time to do so by itself.
    /// `ended` is called on the loop when it is gone; this object lives until then.
    func end(isWanted: Bool, _ ended: @escaping (CommandExit) -> Void) {
        guard !isEnding else { return }
        isEnding = true
        closePipes()
        let now = EventLoop.now()
        if !isWanted { ask() }
        poll(
            askAt: isWanted ? now + Self.grace : now, killAt: now + Self.patience + (isWanted ? Self.grace : 0),
            wait: 2_000_000, ended)
    }

    private func ask() {
        isAsked = true
        kill(-pid, SIGTERM)
    }

    /// There is no SIGCHLD here, which belongs to the whole process: a short question now and then does.
    private func poll(askAt: Int64, killAt: Int64, wait: Int64, _ ended: @escaping (CommandExit) -> Void) {
        if let exit = RunningCommands.reap(pid) { return ended(exit) }
        let now = EventLoop.now()
        if now >= killAt {
            kill(-pid, SIGKILL)
        } else if now >= askAt, !isAsked {
            ask()
        }
        loop.schedule(at: now + wait) { [self] in
            poll(askAt: askAt, killAt: killAt, wait: min(wait * 2, 100_000_000), ended)
        }
    }

    private static func makePipe() throws(SpawnFailure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SpawnFailure(errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK)
        return (ends[0], ends[1])
    }

    /// With no signal blocked or ignored, nothing to read, and no descriptor of ours.
    private static func spawn(_ arguments: [String], output: Int32, errors: Int32) -> (pid: pid_t, code: Int32) {
        guard let program = arguments.first else { return (0, ENOENT) }
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
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
        #if !canImport(Darwin)
        // Some libraries open sockets that a program would inherit, and may do so at this moment: closing what is not open
        // does no harm.
        for descriptor in 3..<Int32(clamping: min(1024, sysconf(Int32(_SC_OPEN_MAX)))) {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        #endif
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
        #if canImport(Darwin)
        flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var pid: pid_t = 0
        let code = unsafe posix_spawnp(&pid, program, &actions, &attributes, &words, environ)
        return (pid, code)
    }
}
