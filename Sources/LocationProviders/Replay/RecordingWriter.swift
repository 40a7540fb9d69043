public import Positioning
internal import WireText

/// Writes a recording (see ``RecordingKind``) into a buffer, which the caller puts into a file: pure.
public struct RecordingWriter: Sendable {
    private let kind: RecordingKind
    private let start: MonotonicInstant
    private let utc: UTCInstant?

    /// - Parameters:
    ///   - start: the instant that the recording counts from.
    ///   - utc: the host's clock at `start`; `nil` where it cannot be trusted.
    public init(_ kind: RecordingKind, start: MonotonicInstant, utc: UTCInstant?) {
        self.kind = kind
        self.start = start
        self.utc = utc.flatMap { RFC3339.range.contains($0.milliseconds) ? $0 : nil }
    }

    /// Appends the first line.
    public func begin(_ output: inout [UInt8]) {
        let (kind, utc) = (Array(kind.rawValue.utf8), utc)
        output.append(addingCapacity: 80) { output in
            output.append(Recording.magic)
            output.append(integer: UInt64(Recording.version))
            output.append(UInt8(ascii: " "))
            output.append(copying: kind.span)
            output.append(UInt8(ascii: " "))
            if let utc { output.append(timestamp: utc.milliseconds) } else { output.append(UInt8(ascii: "-")) }
            output.append(UInt8(ascii: "\n"))
        }
    }

    /// Appends bytes as they came at `now`; nothing for no bytes.
    public func append(_ bytes: Span<UInt8>, at now: MonotonicInstant, to output: inout [UInt8]) {
        var next = 0
        while next < bytes.count {
            let end = min(bytes.count, next + Recording.longestPiece)
            // An escape is four bytes at most.
            output.append(addingCapacity: 32 + (end - next) * 4) { output in
                time(now, &output)
                escape(bytes.extracting(next..<end), &output)
                output.append(UInt8(ascii: "\n"))
            }
            next = end
        }
    }

    /// Appends an event that happened at `now`.
    public func append(_ event: RecordingEvent, at now: MonotonicInstant, to output: inout [UInt8]) {
        let word = Array(event.rawValue.utf8)
        output.append(addingCapacity: 64) { output in
            time(now, &output)
            output.append(UInt8(ascii: "!"))
            output.append(copying: word.span)
            output.append(UInt8(ascii: "\n"))
        }
    }

    private func time(_ now: MonotonicInstant, _ output: inout OutputSpan<UInt8>) {
        let microseconds = UInt64(max(0, now.nanoseconds(since: start))) / 1000
        output.append(integer: microseconds / 1_000_000)
        output.append(UInt8(ascii: "."))
        var (rest, weight) = (microseconds % 1_000_000, UInt64(100_000))
        while weight > 0 {
            output.append(UInt8(ascii: "0") + UInt8(rest / weight))
            (rest, weight) = (rest % weight, weight / 10)
        }
        output.append(UInt8(ascii: " "))
    }

    private func escape(_ bytes: Span<UInt8>, _ output: inout OutputSpan<UInt8>) {
        for index in bytes.indices {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\r"): output.append("\\r")
            case UInt8(ascii: "\n"): output.append("\\n")
            case UInt8(ascii: "\t"): output.append("\\t")
            case UInt8(ascii: "\\"): output.append("\\\\")
            case 0x20...0x7E where index > 0 || byte != UInt8(ascii: "!"): output.append(byte)
            default:
                output.append("\\x")
                output.append(hexDigit(byte >> 4))
                output.append(hexDigit(byte & 15))
            }
        }
    }

    private func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
