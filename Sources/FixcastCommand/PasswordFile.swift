internal import CommandLineOptions

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The first line of a small file, without its end.
func firstLine(of path: String) throws(WatchFailure) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
        throw WatchFailure(code: .configuration, message: "\(path): \(unsafe String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    var length = 0
    while length < bytes.count {
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(descriptor, buffer.baseAddress! + length, buffer.count - length)
        }
        guard count >= 0 else {
            throw WatchFailure(code: .configuration, message: "\(path): \(unsafe String(cString: strerror(errno)))")
        }
        if count == 0 { break }
        length += count
    }
    let line = bytes[..<length].prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else { throw WatchFailure(code: .configuration, message: "\(path): its first line is empty") }
    return String(decoding: line, as: UTF8.self)
}
