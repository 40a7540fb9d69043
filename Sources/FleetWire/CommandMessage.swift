/// What a subscriber asks of a vehicle's agent, and how it is called there (WIRE.md, Commands).
public struct CommandMessage: Equatable, Sendable {
    public enum Action: Equatable, Sendable {
        /// A fix now.
        case locate
        /// The reports of one boot again.
        case resend(instance: String, boot: UInt64, sequences: ClosedRange<UInt64>)
    }

    /// Names the command in its reply: 1 to 64 of letters, digits, `-` and `_`.
    public var id: VehicleID
    public var action: Action
    /// Whom to answer, on `<root>/reply/<subscriber>`.
    public var subscriber: VehicleID

    public init(id: VehicleID, action: Action, subscriber: VehicleID) {
        self.id = id
        self.action = action
        self.subscriber = subscriber
    }
}
