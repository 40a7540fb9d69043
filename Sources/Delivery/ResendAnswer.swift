public import Positioning

/// What comes of a request to send reports again.
public struct ResendAnswer: Equatable, Sendable {
    /// The sequences that are coming.
    public var coming: SequenceRanges
    /// Those that this agent no longer has.
    public var gone: SequenceRanges
}

extension DeliveryMachine {
    /// Somebody asks for the reports `sequences` of one boot again; they go to the track lane once for all who ask.
    /// Those that were not made yet are not answered for.
    public mutating func resend(instance: String, boot: UInt64, sequences: ClosedRange<UInt64>) -> ResendAnswer {
        var answer = ResendAnswer(coming: SequenceRanges(), gone: SequenceRanges())
        for numbers in queue.held(instance: instance, boot: boot, sequences: sequences).ranges {
            // Within a boot, sequence and number go up together.
            guard let first = queue.read(numbers)?.report.identity.sequence else { continue }
            resends.insert(numbers)
            answer.coming.insert(first..<first + UInt64(numbers.count))
        }
        let asked = sequences.lowerBound..<max(sequences.upperBound, sequences.upperBound &+ 1)
        answer.gone = answer.coming.gaps(in: asked)
        return answer
    }
}
