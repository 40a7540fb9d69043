#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Cuts a stream of bytes into lines in one reused buffer. LF, CR and CRLF end a line, mixed at will; empty lines are
/// not handed out. A line longer than the buffer is dropped whole and counted.
package struct LineSplitter: ~Copyable {
    /// The buffer; a range handed out by ``nextLine()`` is valid until the next ``fill(_:)``.
    package private(set) var bytes: [UInt8]
    package private(set) var overlongLines: UInt64 = 0
    /// Of the line handed out last, counted from 1, empty ones and dropped ones included.
    private(set) var lineNumber: UInt64 = 0
    private var endedWithReturn = false
    private var start = 0
    private var end = 0
    /// The first LF and the first CR at or behind `start`, or `end` where there is none; stale when before `start`.
    private var lineFeed = 0
    private var carriageReturn = 0
    private var isDiscarding = false

    package init(capacity: Int = 65_536) { bytes = [UInt8](repeating: 0, count: capacity) }

    /// Lets `read` write behind what is there and say how many bytes it wrote; returns the same number.
    ///
    /// All lines must have been taken before; at least one byte is free.
    package mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        makeRoom()
        let (free, oldEnd) = (end..<bytes.count, end)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe read(UnsafeMutableRawBufferPointer(rebasing: $0[free]))
        }
        guard count > 0 else { return count }
        end += count
        if lineFeed == oldEnd { lineFeed = find(10, from: oldEnd) }
        if carriageReturn == oldEnd { carriageReturn = find(13, from: oldEnd) }
        return count
    }

    /// The next complete line without its end, or `nil` when more bytes are needed.
    package mutating func nextLine() -> Range<Int>? {
        while true {
            if lineFeed < start { lineFeed = find(10, from: start) }
            if carriageReturn < start { carriageReturn = find(13, from: start) }
            let stop = min(lineFeed, carriageReturn)
            guard stop < end else { return nil }
            let line = start..<stop
            start = stop + 1
            let isReturn = stop == carriageReturn
            // Of CRLF the second half ends no line.
            if isReturn || !endedWithReturn || !line.isEmpty { lineNumber += 1 }
            endedWithReturn = isReturn
            if isDiscarding {
                isDiscarding = false
            } else if !line.isEmpty {
                return line
            }
        }
    }

    /// What is left behind the last line end, once all lines were taken.
    var rest: Range<Int> { start..<end }

    /// What is left behind the last line end, at the end of the stream.
    package mutating func lastLine() -> Range<Int>? {
        let line = start..<end
        start = end
        if !line.isEmpty { lineNumber += 1 }
        (lineFeed, carriageReturn) = (end, end)
        defer { isDiscarding = false }
        return line.isEmpty || isDiscarding ? nil : line
    }

    /// Forgets what is buffered: half a line of a connection that ended is no line.
    package mutating func reset() {
        (start, end, lineFeed, carriageReturn, isDiscarding) = (0, 0, 0, 0, false)
    }

    /// Copies as many bytes as there is room for behind what is there, and returns how many; all lines must have been
    /// taken before.
    mutating func append(_ source: Span<UInt8>) -> Int {
        unsafe fill { free in
            let count = min(free.count, source.count)
            for index in 0..<count { unsafe free[index] = source[index] }
            return count
        }
    }

    private mutating func makeRoom() {
        if start == end {
            (start, end, lineFeed, carriageReturn) = (0, 0, 0, 0)
        } else if start > 0, bytes.count - end < bytes.count / 4 {
            let kept = start..<end
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[kept]))
            }
            (lineFeed, carriageReturn) = (lineFeed - start, carriageReturn - start)
            (start, end) = (0, kept.count)
        } else if end == bytes.count {
            if !isDiscarding { overlongLines += 1 }
            reset()
            isDiscarding = true
        }
    }

    private func find(_ byte: Int32, from index: Int) -> Int {
        guard index < end else { return end }
        let range = index..<end
        return unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let hit = unsafe memchr(base + range.lowerBound, byte, range.count)
            else { return range.upperBound }
            return unsafe UnsafeRawPointer(hit) - base
        }
    }
}
