public import Positioning

/// One message for the broker.
public enum Handover: Equatable, Sendable {
    /// To the location topic; retained when the report is reliable.
    case live(Report)
    /// To the track topic, oldest first, all of one boot, never empty.
    case track([Report])
}

/// How a handover ended.
public enum DeliveryOutcome: Equatable, Sendable {
    /// The broker has it.
    case delivered
    /// The broker has it, and said that nobody subscribes to the topic (MQTT 5, 0x10).
    case deliveredToNobody
    /// The connection ended first: the broker may have it or not.
    case lost
    /// The broker refused it, with the reason code of MQTT 5.
    case refused(reason: UInt8)
    /// It exceeds what the broker takes.
    case tooLarge
}
