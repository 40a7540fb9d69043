internal import Positioning

/// From the lines of a receiver to one position an epoch: parser, assembler, rhythm and dates in one value.
struct NMEAEpochReader: Sendable {
    /// How long after its last sentence an epoch that no sentence ended is taken for complete.
    private static let wait = Duration.milliseconds(250)

    private var parser = NMEAParser()
    private var assembler: NMEAEpochAssembler
    /// When the open epoch ends by the stream's own rhythm, if no sentence ends it before; `nil` where nothing is open.
    private(set) var deadline: MonotonicInstant?

    /// - Parameter uere: metres of accuracy (68 %) per unit of HDOP, where that is all there is.
    init(uere: Double, dates: NMEADateRule) {
        assembler = NMEAEpochAssembler(uere: uere)
    }

    /// How many sentences came that tell a position or the lack of one.
    private(set) var positions: UInt64 = 0

    /// How many sentences with a right checksum came, whatever they tell.
    var sentences: UInt64 { parser.sentences }

    /// Why sentences were not used.
    var rejections: NMEARejections { parser.rejections }

    /// Reads one line out of a ``LineSplitter``.
    ///
    /// - Parameters:
    ///   - now: when its bytes came; any constant where no clock drives the reader: then epochs end by content alone.
    ///   - utc: the host's trusted clock then, or `nil`; for a recording an instant near it, until it tells its date.
    ///   - body: told each epoch that the line completed, in order.
    mutating func read(
        _ bytes: Span<UInt8>, _ line: Range<Int>, now: MonotonicInstant, utc: UTCInstant?, _ body: (NMEAEpoch) -> Void
    ) {
        assembler.reference = assembler.reference ?? utc
        parser.read(bytes, line) { sentence in
            if sentence.isPosition { positions += 1 }
            if let epoch = assembler.add(sentence) { body(epoch) }
            deadline = assembler.isOpen ? now + Self.wait : nil
        }
    }

    /// Ends the open epoch where its deadline has come.
    mutating func deadlinePassed(now: MonotonicInstant, utc: UTCInstant?) -> NMEAEpoch? {
        guard let deadline, deadline <= now else { return nil }
        return finish(utc: utc)
    }

    /// Ends the open epoch: the file or the connection is at its end.
    mutating func finish(utc: UTCInstant?) -> NMEAEpoch? {
        deadline = nil
        return assembler.finish()
    }
}
