#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What keeps a benchmark from being made.
struct BenchmarkError: Error {
    var message: String

    init(_ message: String) { self.message = message }

    /// With what the C library says of the last call's failure.
    static func system(_ what: String) -> BenchmarkError {
        unsafe BenchmarkError("\(what): \(String(cString: strerror(errno)))")
    }
}
