#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A small file that is replaced as a whole and survives a power cut: written beside, synchronised, renamed, and the
/// directory synchronised too.
struct DurableFile {
    let directory: String
    let name: String

    /// The system call that failed, and why.
    struct Failure: Error, Equatable {
        var path: String
        var errno: Int32

        var reason: String {
            guard let text = unsafe strerror(errno) else { return "error \(errno)" }
            return unsafe String(cString: text)
        }
    }

    var path: String { directory + "/" + name }

    /// The content; `nil` where there is no such file.
    func read() throws(Failure) -> [UInt8]? { try DurableFile.read(path) }

    /// The first 4096 bytes of a small file; `nil` where there is none.
    static func read(_ path: String) throws(Failure) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(path: path, errno: errno)
        }
        defer { close(descriptor) }
        var content = [UInt8](repeating: 0, count: 4096)
        var length = 0
        while length < content.count {
            let count = unsafe content.withUnsafeMutableBytes { buffer in
                unsafe readBytes(descriptor, buffer.baseAddress! + length, buffer.count - length)
            }
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(path: path, errno: errno)
            }
            length += count
        }
        content.removeLast(content.count - length)
        return content
    }

    func replace(with content: [UInt8]) throws(Failure) {
        let temporary = path + ".new"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: temporary, errno: errno) }
        do {
            defer { close(descriptor) }
            var written = 0
            while written < content.count {
                let count = unsafe content.withUnsafeBytes { buffer in
                    unsafe write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                }
                if count < 0 {
                    if errno == EINTR { continue }
                    throw Failure(path: temporary, errno: errno)
                }
                written += count
            }
            guard fsync(descriptor) == 0 else { throw Failure(path: temporary, errno: errno) }
        }
        guard unsafe rename(temporary, path) == 0 else { throw Failure(path: path, errno: errno) }
        let folder = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Failure(path: directory, errno: errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Failure(path: directory, errno: errno) }
    }
}

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}
