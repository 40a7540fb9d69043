#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Files, without Foundation.
enum Files {
    /// A new directory that only this user can enter.
    static func makeTemporaryDirectory() throws(BenchmarkError) -> String {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/fixcast-bench.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw .system("no temporary directory in \(parent)")
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes a directory of files and directories of files.
    static func remove(_ directory: String) {
        guard let stream = unsafe opendir(directory) else { return }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let path = "\(directory)/\(name)"
            if unsafe unlink(path) != 0 { remove(path) }
        }
        unsafe closedir(stream)
        unsafe rmdir(directory)
    }

    static func write(_ bytes: [UInt8], to path: String) throws(BenchmarkError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("cannot write \(path)") }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe writeBytes(descriptor, buffer.baseAddress! + written, bytes.count - written)
            }
            guard count > 0 else { throw .system("cannot write \(path)") }
            written += count
        }
    }

    static func read(_ path: String) throws(BenchmarkError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("cannot read \(path)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe readBytes(descriptor, &chunk, chunk.count)
            if count <= 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Bytes of a file; 0 where there is none.
    static func size(_ path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// The names in a directory, sorted.
    static func names(in directory: String) throws(BenchmarkError) -> [String] {
        guard let stream = unsafe opendir(directory) else { throw .system("cannot read \(directory)") }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            names.append(name)
        }
        return names.sorted()
    }

    static func text(_ path: String) -> String {
        String(decoding: (try? read(path)) ?? [], as: UTF8.self)
    }
}

// Within `Files` these names mean its own functions.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, bytes, count)
}
