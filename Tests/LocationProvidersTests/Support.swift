import Positioning

@testable import LocationProviders

/// A sentence with its checksum and line end.
func nmea(_ body: String, end: String = "\r\n") -> String {
    let checksum = body.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF")
    return "$\(body)*\(digits[Int(checksum >> 4)])\(digits[Int(checksum & 15)])\(end)"
}

/// Feeds bytes in pieces and returns the lines that come out.
func lines(_ bytes: [UInt8], piece: Int = 7, capacity: Int = 4096, _ body: (Span<UInt8>, Range<Int>) -> Void) {
    var splitter = LineSplitter(capacity: capacity)
    var position = 0
    while position < bytes.count {
        position += unsafe splitter.fill { free in
            let count = min(piece, bytes.count - position, free.count)
            for index in 0..<count { unsafe free[index] = bytes[position + index] }
            return count
        }
        while let line = splitter.nextLine() { body(splitter.bytes.span, line) }
    }
    if let line = splitter.lastLine() { body(splitter.bytes.span, line) }
}

func sentences(_ text: String) -> (sentences: [NMEASentence], rejections: NMEARejections) {
    sentences(Array(text.utf8))
}

func sentences(_ bytes: [UInt8]) -> (sentences: [NMEASentence], rejections: NMEARejections) {
    var parser = NMEAParser()
    var found: [NMEASentence] = []
    lines(bytes) { span, line in parser.read(span, line) { sentence, _ in found.append(sentence) } }
    return (found, parser.rejections)
}

/// The epochs of a recording, which no clock drives.
/// The epochs of a recording, which no clock drives.
func epochs(
    _ text: String, uere: Double = 5, reference: UTCInstant? = nil, dates: NMEADateRule = .asRecorded
) -> [NMEAEpoch] {
    var reader = NMEAEpochReader(uere: uere, dates: dates)
    var epochs: [NMEAEpoch] = []
    let start = MonotonicInstant(nanoseconds: 0)
    lines(Array(text.utf8)) { span, line in
        reader.read(span, line, now: start, utc: reference) { epochs.append($0) }
    }
    if let last = reader.finish(utc: reference) { epochs.append(last) }
    return epochs
}

extension NMEAEpoch {
    var location: Location? { if case .fix(let location) = self { location } else { nil } }
}

/// 2026-11-30T12:00:00Z.
let noon = UTCInstant(milliseconds: 1_796_040_000_000)

extension UTCInstant {
    static func + (instant: UTCInstant, seconds: Double) -> UTCInstant {
        UTCInstant(milliseconds: instant.milliseconds + Int64(seconds * 1000))
    }
}
