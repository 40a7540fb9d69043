#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What this process has used.
struct ProcessUsage {
    /// Seconds of CPU time.
    var cpu: Double
    /// Bytes of memory that are resident now; `nil` where the system does not say.
    var resident: UInt64?

    static var current: ProcessUsage {
        var usage = rusage()
        #if canImport(Darwin)
        _ = unsafe getrusage(RUSAGE_SELF, &usage)
        #else
        _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        return ProcessUsage(cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), resident: residentPages)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    /// Linux tells it as the second number of statm, in pages.
    private static var residentPages: UInt64? {
        guard let text = try? DurableFile.read("/proc/self/statm") else { return nil }
        let fields = text.split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = UInt64(String(decoding: fields[1], as: UTF8.self)) else { return nil }
        return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
