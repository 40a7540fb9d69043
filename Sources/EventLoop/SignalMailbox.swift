internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Signals that arrived and were not yet handled: one bit each, set by the signal handler, which may do no more than
/// touch lock-free atomics and write to a pipe.
enum SignalMailbox {
    private static let arrived = Atomic<UInt64>(0)
    private static let wakeUpDescriptor = Atomic<Int32>(-1)

    static func install(_ number: Int32, wakingUp descriptor: Int32) {
        wakeUpDescriptor.store(descriptor, ordering: .sequentiallyConsistent)
        var action = sigaction()
        #if os(Linux)
        unsafe action.__sigaction_handler.sa_handler = { SignalMailbox.post($0) }
        #else
        unsafe action.__sigaction_u.__sa_handler = { SignalMailbox.post($0) }
        #endif
        action.sa_flags = Int32(SA_RESTART)
        unsafe sigaction(number, &action, nil)
        // The parent may have started this process with the signal blocked.
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    static func take() -> [Int32] {
        let bits = arrived.exchange(0, ordering: .sequentiallyConsistent)
        return bits == 0 ? [] : (0..<64).filter { bits & (1 << UInt64($0)) != 0 }.map { Int32($0) }
    }

    private static func post(_ number: Int32) {
        let saved = errno
        arrived.bitwiseOr(1 << UInt64(number), ordering: .sequentiallyConsistent)
        var byte: UInt8 = 0
        _ = unsafe write(wakeUpDescriptor.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = saved
    }
}
