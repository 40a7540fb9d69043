public import Positioning

/// What an agent answers to a command (WIRE.md, Commands).
public struct ReplyMessage: Equatable, Sendable {
    /// Why a command is refused; the raw value is the word on the wire.
    public enum Refusal: String, Equatable, Sendable, CaseIterable {
        /// The vehicle's position is nobody's business now.
        case `private`
        /// The day's data budget is used up.
        case budget
        /// What is asked for is nothing that this agent has or does.
        case unknown
        case noFix
        case busy
    }

    public enum Outcome: Equatable, Sendable {
        /// To a resend: the sequences that are coming on the track topic, and those that are gone for good.
        case coming(first: UInt64?, last: UInt64?, gone: SequenceRanges)
        case refused(Refusal, message: String)
    }

    /// The ranges that are gone in one reply; a request for a smaller range tells the rest.
    public static let goneLimit = 100

    /// Of the command.
    public var id: VehicleID
    public var outcome: Outcome

    public init(id: VehicleID, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}
