#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension SourceAddress {
    /// What keeps a file or a serial port from being read now, as far as it can be told without opening it, which a
    /// receiver may notice.
    public func examine() -> SourceFailure? {
        switch self {
        case .tcp, .udp, .standardInput: nil
        case .file(let path): Self.examine(path) { $0 == S_IFDIR ? .directory : nil }
        case .serial(let path, _): Self.examine(path) { $0 == S_IFCHR ? nil : .notSerial }
        }
    }

    private static func examine(_ path: String, _ fault: (mode_t) -> SourceFailure?) -> SourceFailure? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return SourceFailure(errno: errno) }
        if let fault = fault(status.st_mode & S_IFMT) { return fault }
        return unsafe access(path, R_OK) == 0 ? nil : SourceFailure(errno: errno)
    }
}
