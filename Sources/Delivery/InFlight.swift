/// Reports under way, as one message.
struct InFlight {
    enum Lane { case live, track, resend }

    var token: UInt64 = 0
    /// May have gaps: reports that were acknowledged before.
    var numbers: Range<UInt64>
    /// How many of the queue's reports it carries; 0 for a repetition.
    var count: Int
    var lane: Lane
}
