internal import Positioning

/// One sender's bytes on their way to epochs. Confined to its provider's loop.
final class NMEAStream {
    /// Of the sender, never another's within one run; 0 where there is none.
    let id: UInt64
    let sender: DatagramSocket.Sender?
    private(set) var epochs: NMEAEpochReader
    private var lines: LineSplitter
    private var toldSentences: UInt64 = 0

    init(id: UInt64, sender: DatagramSocket.Sender? = nil, epochs: NMEAEpochReader) {
        self.id = id
        self.sender = sender
        self.epochs = epochs
        lines = LineSplitter(capacity: 4 * DatagramSocket.longest)
    }

    /// Lets `read` write behind what is there; all lines must have been taken before.
    func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int { unsafe lines.fill(read) }

    /// Takes a datagram: where it begins and ends says nothing about sentences, yet one that begins a sentence ends
    /// whatever was left open.
    func feed(_ datagram: Span<UInt8>) {
        guard !datagram.isEmpty else { return }
        let isBeginning = datagram[0] == UInt8(ascii: "$") || datagram[0] == UInt8(ascii: "!")
        if isBeginning || lines.rest.count > DatagramSocket.longest { lines.reset() }
        _ = unsafe lines.fill { free in
            let count = min(datagram.count, free.count)
            unsafe datagram.withUnsafeBytes { unsafe free.copyMemory(from: .init(rebasing: $0[..<count])) }
            return count
        }
    }

    /// The next complete line; a datagram that ends with a whole sentence needs no line end.
    func nextLine() -> Range<Int>? {
        if let line = lines.nextLine() { return line }
        guard sender != nil, endsWithChecksum else { return nil }
        return lines.lastLine()
    }

    private var endsWithChecksum: Bool {
        let rest = lines.rest
        guard rest.count >= 3, lines.bytes[rest.upperBound - 3] == UInt8(ascii: "*") else { return false }
        return isHexDigit(lines.bytes[rest.upperBound - 2]) && isHexDigit(lines.bytes[rest.upperBound - 1])
    }

    /// What is left behind the last line end, at the end of a file.
    func lastLine() -> Range<Int>? { lines.lastLine() }

    func read(_ line: Range<Int>, now: MonotonicInstant, utc: UTCInstant?, _ body: (NMEAEpoch) -> Void) {
        Self.read(line, of: lines, by: &epochs, now: now, utc: utc, body)
    }

    private static func read(
        _ line: Range<Int>, of lines: borrowing LineSplitter, by epochs: inout NMEAEpochReader, now: MonotonicInstant,
        utc: UTCInstant?, _ body: (NMEAEpoch) -> Void
    ) {
        epochs.read(lines.bytes.span, line, now: now, utc: utc, body)
    }

    func deadlinePassed(now: MonotonicInstant, utc: UTCInstant?) -> NMEAEpoch? {
        epochs.deadlinePassed(now: now, utc: utc)
    }

    func finish(utc: UTCInstant?) -> NMEAEpoch? { epochs.finish(utc: utc) }

    /// How many sentences with a right checksum came since this was asked last.
    func takeSentences() -> Int {
        defer { toldSentences = epochs.sentences }
        return Int(epochs.sentences - toldSentences)
    }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
        UInt8(ascii: "a")...UInt8(ascii: "f"):
        true
    default: false
    }
}
