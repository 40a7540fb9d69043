internal import Positioning

/// Reports under way, as one message.
struct InFlight {
    enum Content {
        /// The newest position, by its number in the queue.
        case live(UInt64)
        /// A position that the broker had before.
        case repetition(UInt64)
        case track(SequenceRanges)
        /// What somebody asked for, which the queue keeps as history.
        case resend(SequenceRanges)
    }

    var token: UInt64 = 0
    var content: Content
    /// How many of its reports are of a backlog, which goes at a pace.
    var paced = 0

    var isLive: Bool {
        switch content {
        case .live, .repetition: true
        case .track, .resend: false
        }
    }

    /// How many reports it carries.
    var count: Int {
        switch content {
        case .live, .repetition: 1
        case .track(let numbers), .resend(let numbers): Int(numbers.count)
        }
    }
}
