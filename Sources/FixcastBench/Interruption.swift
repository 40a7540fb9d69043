internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

private let interruptionIsRequested = Atomic(false)

/// Set by Ctrl-C and by SIGTERM: everything ends and is tidied up.
enum Interruption {
    static func install() {
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in interruptionIsRequested.store(true, ordering: .relaxed) }
        }
    }

    static func check() throws(BenchmarkError) {
        if interruptionIsRequested.load(ordering: .relaxed) { throw BenchmarkError("interrupted") }
    }
}
