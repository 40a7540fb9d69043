internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Remembers one thread, to ask later whether the caller runs on it.
final class ThreadIdentity: Sendable {
    private let thread = Mutex<pthread_t?>(nil)

    /// Whether the caller is on the remembered thread.
    var isCurrent: Bool {
        thread.withLock { thread in
            guard let thread else { return false }
            return pthread_equal(thread, pthread_self()) != 0
        }
    }

    /// Remembers the caller's thread while `body` runs.
    func during<R>(_ body: () throws -> R) rethrows -> R {
        thread.withLock { $0 = pthread_self() }
        defer { thread.withLock { $0 = nil } }
        return try body()
    }
}
