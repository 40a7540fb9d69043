internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Pulls records out of a log file, a chunk at a time: memory does not grow with the file. Used by one thread at a
/// time; the file is closed with it.
final class LogReader {
    /// Bytes within which a log must show what it is.
    private static let probeLength = 4 << 20

    private let descriptor: Int32
    private var content: LogContent

    /// Opens the file, finds out what it is, and reads up to its first record.
    init(_ settings: ReplaySettings, common: CommonProviderSettings) throws(ReplayError) {
        let file = settings.file
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .cannotRead(file: file, errno: errno) }
        self.descriptor = descriptor
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        // When the log was written: for the date of logs that do not tell it.
        #if canImport(Darwin)
        let modified = UTCInstant(milliseconds: Int64(status.st_mtimespec.tv_sec) * 1000)
        #else
        let modified = UTCInstant(milliseconds: Int64(status.st_mtim.tv_sec) * 1000)
        #endif
        content = LogContent(file: LogFile(path: file, descriptor: descriptor))
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(file: file) }
        let (format, start) = try Self.probe(content.file)
        content = LogContent(
            file: LogFile(path: file, descriptor: descriptor, start: start), format: format, common: common,
            dates: settings.rollover == .correct ? .live : .asRecorded, reference: modified)
        try content.readFirst()
    }

    deinit { close(descriptor) }

    /// The next record, or `nil` at the end.
    func next() throws(ReplayError) -> LogRecord? { try content.next() }

    /// Rows and points that could not be read so far.
    var damage: LogDamage { content.damage }

    /// Whether the file ends in the middle of something, as the log of a device that lost its power.
    var isCutOff: Bool { content.isCutOff }

    private static func probe(_ file: LogFile) throws(ReplayError) -> (LogFormat, start: Int) {
        var probe = LogProbe()
        var (chunk, bytesRead) = ([UInt8](repeating: 0, count: 65_536), 0)
        while probe.format == nil, bytesRead < probeLength {
            let count = try file.read(into: &chunk)
            if count == 0 {
                probe.finish()
                break
            }
            bytesRead += count
            probe.read(chunk.span.extracting(0..<count))
        }
        guard let format = probe.format else { throw .unknownFormat(file: file.path, found: probe.content) }
        let start = probe.start
        return (format, start)
    }
}

/// The bytes of a log, from where it begins.
struct LogFile {
    let path: String
    let descriptor: Int32
    var start = 0

    /// Reads on; returns how many bytes, 0 at the end.
    func read(into chunk: inout [UInt8]) throws(ReplayError) -> Int {
        let descriptor = descriptor
        return try checked(
            unsafe chunk.withUnsafeMutableBytes { unsafe Self.read(descriptor, $0) })
    }

    func checked(_ count: Int) throws(ReplayError) -> Int {
        if count < 0 { throw .cannotRead(file: path, errno: errno) }
        return count
    }

    static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            #if canImport(Glibc)
            let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
            let count = unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
            #else
            let count = unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }

    func rewind() throws(ReplayError) {
        if lseek(descriptor, off_t(start), SEEK_SET) < 0 { throw .cannotRead(file: path, errno: errno) }
    }
}
