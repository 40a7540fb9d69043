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
    private var content: Content

    /// Opens the file and reads up to its first record's line.
    init(_ file: String, uere: Double, accuracy: GPSDAccuracy) throws(ReplayError) {
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
        content = Content(
            file: file, descriptor: descriptor,
            parser: LogParser(uere: uere, accuracy: accuracy, reference: modified))
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(file: file) }
        try content.findFormat(within: Self.probeLength)
    }

    deinit { close(descriptor) }

    /// The next record, or `nil` at the end.
    func next() throws(ReplayError) -> LogRecord? { try content.next() }
}

/// What changes as the file is read: one value, so that a record costs one exclusive access to it.
private struct Content: ~Copyable {
    let file: String
    let descriptor: Int32
    var parser: LogParser
    private var lines = LineSplitter(capacity: 131_072)
    private var records: [LogRecord] = []
    private var taken = 0
    private var bytesRead = 0
    private var isAtEnd = false

    init(file: String, descriptor: Int32, parser: LogParser) {
        self.file = file
        self.descriptor = descriptor
        self.parser = parser
    }

    mutating func findFormat(within length: Int) throws(ReplayError) {
        while !parser.isFormatKnown, bytesRead < length, try readLines() {}
        guard parser.isFormatKnown else { throw .unknownFormat(file: file) }
    }

    mutating func next() throws(ReplayError) -> LogRecord? {
        while taken == records.count {
            records.removeAll(keepingCapacity: true)
            taken = 0
            guard try readLines() else { return nil }
        }
        defer { taken += 1 }
        return records[taken]
    }

    /// Reads lines until there are records or a buffer is used up; false at the end of the file.
    private mutating func readLines() throws(ReplayError) -> Bool {
        guard !isAtEnd else { return false }
        while let line = lines.nextLine() {
            Self.parse(line, of: lines, by: &parser, into: &records)
            if !records.isEmpty { return true }
        }
        let descriptor = descriptor
        let count = unsafe lines.fill { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count < 0 { throw .cannotRead(file: file, errno: errno) }
        bytesRead += count
        if count == 0 {
            isAtEnd = true
            if let line = lines.lastLine() { Self.parse(line, of: lines, by: &parser, into: &records) }
            parser.finish(into: &records)
        }
        return true
    }

    private static func parse(
        _ line: Range<Int>, of lines: borrowing LineSplitter, by parser: inout LogParser,
        into records: inout [LogRecord]
    ) {
        parser.read(lines.bytes.span, line, into: &records)
    }
}
