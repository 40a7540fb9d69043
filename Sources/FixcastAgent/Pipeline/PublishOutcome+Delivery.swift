internal import Delivery
internal import MessageTransport

extension PublishOutcome {
    /// Whether the broker has the message.
    var isAccepted: Bool {
        switch self {
        case .accepted, .acceptedWithoutSubscribers: true
        case .refused, .tooLarge, .notConnected, .unknown: false
        }
    }
}

extension DeliveryOutcome {
    init(_ outcome: PublishOutcome) {
        switch outcome {
        case .accepted: self = .delivered
        case .acceptedWithoutSubscribers: self = .deliveredToNobody
        case .refused(let reason): self = .refused(reason: reason.rawValue)
        case .tooLarge: self = .tooLarge
        case .notConnected, .unknown: self = .lost
        }
    }
}
