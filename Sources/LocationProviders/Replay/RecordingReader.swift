internal import Positioning
internal import WireText

/// Reads a recording line by line: pure. What is damaged is counted and left out.
struct RecordingReader: Sendable {
    struct Header: Equatable, Sendable {
        var kind: RecordingKind
        /// The host's clock at the start, where it was trusted.
        var utc: UTCInstant?
    }

    /// What a line says; the bytes of ``data`` are in ``RecordingReader/bytes``.
    enum Line: Equatable, Sendable {
        case data
        case event(RecordingEvent)
    }

    /// The unescaped bytes of the last line of data.
    private(set) var bytes: [UInt8] = []
    /// Nanoseconds since the start of the last line that was read; never goes back.
    private(set) var elapsed: Int64 = 0
    private(set) var damagedLines: UInt64 = 0

    /// Reads a first line; `nil` where it is none, throws where a newer format wrote it.
    static func header(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(UnknownVersion) -> Header? {
        var words = Words(rest: line)
        guard let magic = words.next(bytes), isMagic(bytes, magic), let version = words.next(bytes) else { return nil }
        guard version.count == 1, bytes[version.lowerBound] == UInt8(ascii: "0") + Recording.version else {
            guard version.allSatisfy({ (0x30...0x39).contains(bytes[$0]) }) else { return nil }
            throw UnknownVersion()
        }
        guard let word = words.next(bytes),
            let kind = RecordingKind.allCases.first(where: { isEqual(bytes, word, $0.rawValue) })
        else { return nil }
        let time = words.next(bytes).flatMap { RFC3339.milliseconds(bytes.extracting($0)) }
        return Header(kind: kind, utc: time.map { UTCInstant(milliseconds: $0) })
    }

    /// A later version of the format, which this reader does not know.
    struct UnknownVersion: Error, Equatable {}

    /// Reads a line behind the first.
    mutating func read(_ text: Span<UInt8>, _ line: Range<Int>) -> Line? {
        var index = line.lowerBound
        guard let time = time(text, &index, line.upperBound), index < line.upperBound,
            text[index] == UInt8(ascii: " ")
        else { return damaged() }
        let content = (index + 1)..<line.upperBound
        if let first = content.first, text[first] == UInt8(ascii: "!") {
            let word = (first + 1)..<line.upperBound
            guard let event = RecordingEvent.allCases.first(where: { isEqual(text, word, $0.rawValue) }) else {
                return damaged()
            }
            elapsed = max(elapsed, time)
            return .event(event)
        }
        guard unescape(text, content) else { return damaged() }
        elapsed = max(elapsed, time)
        return .data
    }

    private mutating func damaged() -> Line? {
        damagedLines += 1
        return nil
    }

    /// Seconds with up to nine decimals, in nanoseconds; at most ten years.
    private func time(_ text: Span<UInt8>, _ index: inout Int, _ end: Int) -> Int64? {
        let start = index
        var seconds: Int64 = 0
        while index < end, let digit = decimalDigit(text[index]) {
            seconds = seconds * 10 + Int64(digit)
            guard seconds < 10 * 366 * 86_400 else { return nil }
            index += 1
        }
        guard index > start else { return nil }
        var (fraction, weight) = (Int64(0), Int64(100_000_000))
        if index < end, text[index] == UInt8(ascii: ".") {
            index += 1
            while index < end, let digit = decimalDigit(text[index]) {
                fraction += Int64(digit) * weight
                weight /= 10
                index += 1
            }
        }
        return seconds * 1_000_000_000 + fraction
    }

    /// Whether every escape is right.
    private mutating func unescape(_ text: Span<UInt8>, _ content: Range<Int>) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        var index = content.lowerBound
        while index < content.upperBound {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard index < content.upperBound else { return false }
            switch text[index] {
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "x"):
                guard index + 2 < content.upperBound, let high = hexDigit(text[index + 1]),
                    let low = hexDigit(text[index + 2])
                else { return false }
                bytes.append(high << 4 | low)
                index += 2
            default: return false
            }
            index += 1
        }
        return true
    }

    private static func isMagic(_ bytes: Span<UInt8>, _ word: Range<Int>) -> Bool {
        isEqual(bytes, word, "fixcast-recording")
    }
}

/// The words of a line, between single spaces.
private struct Words {
    var rest: Range<Int>

    mutating func next(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.first { bytes[$0] == UInt8(ascii: " ") } ?? rest.upperBound
        defer { rest = min(end + 1, rest.upperBound)..<rest.upperBound }
        return rest.lowerBound..<end
    }
}

private func isEqual(_ bytes: Span<UInt8>, _ range: Range<Int>, _ word: String) -> Bool {
    let utf8 = word.utf8
    return utf8.count == range.count && zip(utf8, range).allSatisfy { $0 == bytes[$1] }
}

private func decimalDigit(_ byte: UInt8) -> UInt8? {
    (0x30...0x39).contains(byte) ? byte - 0x30 : nil
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}
