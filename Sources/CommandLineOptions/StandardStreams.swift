#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The descriptors 0 to 2.
public enum StandardStreams {
    /// Opens those that the parent closed, to be called before anything else is opened: else a file or a socket would
    /// get the number, and what is meant for people would be written into it. Reading ends at once; writing fails.
    public static func reserve() {
        var descriptor: Int32 = 0
        while (0...2).contains(descriptor) { descriptor = unsafe open("/dev/null", O_RDONLY) }
        if descriptor > 2 { close(descriptor) }
    }
}
