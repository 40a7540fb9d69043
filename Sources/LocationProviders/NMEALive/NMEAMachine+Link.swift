internal import Positioning

extension NMEAMachine {
    /// What a source owes for longer than `silence`; each includes those before it.
    enum Lack: Equatable, Sendable {
        case nothing
        /// Sentences come, and none tells whether there is a fix.
        case epochs
        /// Bytes come that make no sentence.
        case sentences
        case bytes
    }

    /// From one opening of the source to its end.
    struct Link: Equatable, Sendable {
        let since: MonotonicInstant
        private(set) var lastByte: MonotonicInstant
        /// When a sentence with a right checksum last came.
        private(set) var lastSentence: MonotonicInstant
        /// When sentences last said whether there is a fix.
        var lastEpoch: MonotonicInstant
        /// What is missing and was told.
        var lack = Lack.nothing

        init(_ now: MonotonicInstant) { (since, lastByte, lastSentence, lastEpoch) = (now, now, now, now) }

        /// What comes after a lack has the whole time again to be followed by what is more.
        mutating func received(sentences: Int, _ now: MonotonicInstant) {
            lastByte = now
            if lack == .bytes { (lack, lastSentence, lastEpoch) = (.nothing, now, now) }
            guard sentences > 0 else { return }
            lastSentence = now
            if lack == .sentences { (lack, lastEpoch) = (.nothing, now) }
        }

        mutating func resume(_ now: MonotonicInstant) { (lastByte, lastSentence, lastEpoch) = (now, now, now) }
    }
}
