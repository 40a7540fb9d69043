internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The programs that this process started and has not yet waited for.
public enum RunningCommands {
    private static let running = Mutex<Set<pid_t>>([])

    static func add(_ pid: pid_t) { running.withLock { _ = $0.insert(pid) } }

    /// How the leader of a group ended, once it did; what is left of its group is killed with it. Its number cannot be
    /// another's before.
    static func reap(_ pid: pid_t) -> CommandExit? {
        running.withLock { running in
            guard running.contains(pid) else { return .signal(SIGKILL) }
            var info = unsafe siginfo_t()
            let answer = unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT)
            guard answer == 0 || errno == ECHILD else { return nil }
            if answer == 0, unsafe info.si_signo == 0 { return nil }
            kill(-pid, SIGKILL)
            var status: Int32 = 0
            while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
            running.remove(pid)
            let signal = status & 0x7F
            return signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
        }
    }

    /// Ends what still runs when the process itself is about to end: blocks until all of it is gone, two seconds and
    /// little more at most.
    public static func endAll() {
        let pids = running.withLock { $0 }
        for pid in pids { kill(-pid, SIGTERM) }
        var left = pids
        for turn in 0..<300 where !left.isEmpty {
            if turn == 200 { for pid in left { kill(-pid, SIGKILL) } }
            left = left.filter { reap($0) == nil }
            if !left.isEmpty { usleep(10_000) }
        }
    }
}
