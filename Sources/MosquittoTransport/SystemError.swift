#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The system's words for an `errno`.
func systemErrorText(_ code: Int32) -> String {
    guard let message = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: message)
}

/// The calling thread's `errno`.
var currentErrno: Int32 { errno }
