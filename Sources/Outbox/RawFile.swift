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

    /// `nil` where there is none.
    init?(_ path: String) throws(StoreError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else { return }
        let number = errno
        if number == ENOENT { return nil }
        throw StoreError(kind: .unavailable, code: -number, message: systemMessage(number), path: path)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// At most `count` bytes from `offset` on, fewer at the end; zeros for blocks that the disk cannot read.
    borrowing func read(_ offset: Int, _ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            while length < count {
                let got = unsafe pread(
                    descriptor, buffer.baseAddress! + length, count - length, off_t(offset + length))
                if got < 0, errno == EINTR { continue }
                if got > 0 {
                    length += got
                } else if got < 0, errno == EIO {
                    let block = min(count - length, 4096 - (offset + length) % 4096)
                    unsafe buffer[length..<length + block].update(repeating: 0)
                    length += block
                } else {
                    break
                }
            }
        }
    }
}

/// What the system says about an error number.
func systemMessage(_ number: Int32) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}
