package import Positioning

/// From the lines of a receiver to one position an epoch: parser, assembler, rhythm and dates in one value.
///
/// The added delay, from an epoch's last sentence to its location: none where the stream's rhythm is known, which takes two
/// whole epochs; else a quarter of the interval between epochs, at most 250 ms, or until the next epoch's first sentence,
/// whichever is less. Where a sentence of a known rhythm fails to come: twice that.
package struct NMEAEpochReader: Sendable {
    private var parser = NMEAParser()
    private var assembler: NMEAEpochAssembler
    /// How many sentences came that tell a position or the lack of one.
    package private(set) var positions: UInt64 = 0

    /// - Parameter uere: metres of accuracy (68 %) per unit of HDOP, where that is all there is.
    package init(uere: Double, dates: NMEADateRule) { assembler = NMEAEpochAssembler(uere: uere, dates: dates) }

    /// When the open epoch ends by the stream's own rhythm, if no sentence ends it before; `nil` where nothing is open.
    package var deadline: MonotonicInstant? { assembler.deadline }

    /// How many sentences with a right checksum came, whatever they tell.
    var sentences: UInt64 { parser.sentences }

    /// Why sentences were not used.
    package var rejections: NMEARejections { parser.rejections }

    /// How many of the receiver's dates were put right (G09).
    package var correctedDates: UInt64 { assembler.calendar.corrections }

    /// How many satellites the receiver has in view, where it says so.
    package var satellitesInView: Int? { assembler.view.total }

    /// Reads one line out of a ``LineSplitter``.
    ///
    /// - Parameters:
    ///   - now: when its bytes came; any constant where no clock drives the reader: then epochs end by content alone.
    ///   - utc: the host's trusted clock then, or `nil`; for a recording an instant near it, until it tells its date.
    ///   - body: told each epoch that the line completed, in order.
    package mutating func read(
        _ bytes: Span<UInt8>, _ line: Range<Int>, now: MonotonicInstant, utc: UTCInstant?, _ body: (NMEAEpoch) -> Void
    ) {
        parser.read(bytes, line) { sentence, talker in
            if sentence.isPosition { positions &+= 1 }
            assembler.add(sentence, talker, now: now, utc: utc, body)
        }
    }

    /// Ends the open epoch where its deadline has come.
    package mutating func deadlinePassed(now: MonotonicInstant, utc: UTCInstant?) -> NMEAEpoch? {
        assembler.deadlinePassed(now: now, utc: utc)
    }

    /// Ends the open epoch: the file or the connection is at its end.
    package mutating func finish(utc: UTCInstant?) -> NMEAEpoch? { assembler.finish(utc: utc) }
}
