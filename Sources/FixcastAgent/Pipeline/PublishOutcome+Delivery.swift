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
        case .accepted, .acceptedWithoutSubscribers: self = .delivered
        case .refused: self = .refused
        case .tooLarge: self = .tooLarge
        case .notConnected, .unknown: self = .lost
        }
    }
}
