internal import FleetWire
internal import LocationProviders

/// A reader that can be fed with damaged input.
enum FuzzReader {
    /// Of positions.
    case positions(ReaderCheck)
    /// Of the compact form of track messages.
    case track

    init?(_ name: String) {
        if name == "track" {
            self = .track
        } else if let check = ReaderCheck(rawValue: name) {
            self = .positions(check)
        } else {
            return nil
        }
    }

    var name: String {
        switch self {
        case .positions(let check): check.rawValue
        case .track: "track"
        }
    }

    /// Returns how much came out; traps where a promise is broken.
    @discardableResult
    func read(_ bytes: Span<UInt8>) -> Int {
        switch self {
        case .positions(let check): check.read(bytes)
        case .track: TrackCheck.read(bytes)
        }
    }
}
