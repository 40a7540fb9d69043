#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Why a file cannot be read.
struct ReadFailure: Error, Equatable {
    var message: String

    init(_ errorNumber: Int32) { message = unsafe "cannot be read: \(String(cString: strerror(errorNumber)))" }
}

/// At most the first `limit` bytes of a file, or of a pipe until its end.
func readFile(_ path: String, limit: Int) -> Result<[UInt8], ReadFailure> {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(ReadFailure(errno)) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < limit {
        let count = unsafe read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
        if count == 0 { break }
        if count < 0 {
            if errno == EINTR { continue }
            return .failure(ReadFailure(errno))
        }
        bytes.append(contentsOf: chunk[..<count])
    }
    return .success(bytes)
}
