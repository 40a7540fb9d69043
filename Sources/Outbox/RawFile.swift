#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The bytes of a file that SQLite may not be able to read.
struct RawFile: ~Copyable {
    private let descriptor: Int32

    /// `nil` where it cannot be opened.
    init?(_ path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// At most `count` bytes from `offset` on; fewer at the end, none where they cannot be read.
    borrowing func read(_ offset: Int, _ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            while length < count {
                let got = unsafe pread(
                    descriptor, buffer.baseAddress! + length, count - length, off_t(offset + length))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { break }
                length += got
            }
        }
    }
}
