internal import Positioning

/// The reports of one boot: from `first` on, number and sequence count up together.
struct Run: Equatable {
    var first: UInt64
    var instance: String
    var boot: UInt64
    /// Of the first report.
    var sequence: UInt64

    /// The numbers of `sequences`, were the run without end.
    func numbers(of sequences: ClosedRange<UInt64>) -> Range<UInt64>? {
        guard sequences.upperBound >= sequence, sequences.upperBound < 1 << 62 else { return nil }
        let lower = max(sequences.lowerBound, sequence)
        return first + (lower - sequence)..<first + (sequences.upperBound - sequence) + 1
    }

    /// Whether the reports of a piece are of this run.
    func holds(_ piece: Piece) -> Bool {
        piece.number >= first && piece.boot == boot && piece.instance == instance
            && piece.sequence >= sequence && piece.sequence - sequence == piece.number - first
    }
}

extension [Run] {
    /// The run that a number belongs to; they are in order.
    func run(of number: UInt64) -> Run? { last { $0.first <= number } }

    /// Whether a piece can be of what these runs tell, or of a boot after them: not of what was written, never became
    /// valid, and was overtaken by another boot.
    func allow(_ piece: Piece) -> Bool {
        guard let last, let run = run(of: piece.number) else { return isEmpty }
        if run.holds(piece) { return true }
        return piece.number >= last.first && (piece.instance != last.instance || piece.boot > last.boot)
    }

    /// Notes the run of an allowed piece, if it is none of these.
    mutating func join(_ piece: Piece) {
        if run(of: piece.number)?.holds(piece) == true { return }
        append(Run(first: piece.number, instance: piece.instance, boot: piece.boot, sequence: piece.sequence))
    }

    /// Forgets the runs that end at or below `number`.
    mutating func forget(below number: UInt64) {
        guard let index = lastIndex(where: { $0.first <= number }), index > 0 else { return }
        removeFirst(index)
    }
}
