/// A difference between what we and gpsd tell of one epoch.
struct AgreementDifference {
    /// What is compared.
    enum Field: String, CaseIterable {
        /// Only one of both told the epoch.
        case epoch
        case mode, position, time, speed, course, altitude
    }

    var field: Field
    /// `nil` where gpsd alone told something.
    var ours: ReceiverEpoch?
    /// What gpsd told during the epoch; its last report is what is compared.
    var theirs: [GPSDReport]
    /// gpsd's last report before the epoch.
    var previousTheirs: GPSDReport?
    /// The GSA sentences of this epoch, or of the last one that had any.
    var precision: [RawSentence] = []

    /// Whether gpsd read something of another protocol (AIS, a binary one) between the epoch's sentences or behind them.
    var isInterrupted = false
    /// Whether gpsd told the epoch before and the one after.
    var isSingle = false
    /// Whether no sentence of the log has a right checksum.
    var isWithoutChecksums = false

    /// The epoch's sentences of a type.
    func sentences(_ type: String) -> [RawSentence] { ours?.sentences(type) ?? [] }

    /// The sentences of the epoch that came before gpsd's last report of it, with the one that caused it.
    var reported: ArraySlice<RawSentence> { split.0 }

    /// The sentences of the epoch that came after it.
    var unreported: ArraySlice<RawSentence> { split.1 }

    private var split: (ArraySlice<RawSentence>, ArraySlice<RawSentence>) {
        guard let ours, let last = theirs.last else { return ([], ours?.sentences[...] ?? []) }
        let count = min(max(0, last.sentence + 1 - ours.range.lowerBound), ours.sentences.count)
        return (ours.sentences[..<count], ours.sentences[count...])
    }
}
