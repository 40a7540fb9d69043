internal import Positioning
internal import WireText

// The vocabularies of WIRE.md. A word that is not known is tolerated: what it would have said is unknown.

extension FixType {
    /// The word of `fix`; `nil` where nothing is written.
    var word: StaticString? {
        switch self {
        case .unknown: nil
        case .none: "none"
        case .deadReckoning: "dr"
        case .twoD: "2d"
        case .threeD: "3d"
        case .differential: "dgps"
        case .rtkFloat: "rtkFloat"
        case .rtkFixed: "rtkFixed"
        case .manual: "manual"
        }
    }

    init(word: JSONWord) {
        switch word {
        case "3d": self = .threeD
        case "2d": self = .twoD
        case "none": self = .none
        case "dr": self = .deadReckoning
        case "dgps": self = .differential
        case "rtkFloat": self = .rtkFloat
        case "rtkFixed": self = .rtkFixed
        case "manual": self = .manual
        default: self = .unknown
        }
    }
}

extension AltitudeReference {
    var word: StaticString {
        switch self {
        case .meanSeaLevel: "msl"
        case .wgs84Ellipsoid: "ellipsoid"
        }
    }

    init?(word: JSONWord) {
        switch word {
        case "msl": self = .meanSeaLevel
        case "ellipsoid": self = .wgs84Ellipsoid
        default: return nil
        }
    }
}

extension Motion {
    var word: StaticString {
        switch self {
        case .moving: "moving"
        case .stationary: "stationary"
        }
    }

    init?(word: JSONWord) {
        switch word {
        case "moving": self = .moving
        case "stationary": self = .stationary
        default: return nil
        }
    }
}

extension ReportTrigger {
    var word: StaticString {
        switch self {
        case .first: "first"
        case .error: "error"
        case .interval: "interval"
        case .distance: "distance"
        case .heading: "heading"
        case .speed: "speed"
        case .motion: "motion"
        case .reconnect: "reconnect"
        case .demand: "demand"
        case .locate: "locate"
        }
    }

    init?(word: JSONWord) {
        switch word {
        case "error": self = .error
        case "interval": self = .interval
        case "first": self = .first
        case "distance": self = .distance
        case "heading": self = .heading
        case "speed": self = .speed
        case "motion": self = .motion
        case "reconnect": self = .reconnect
        case "demand": self = .demand
        case "locate": self = .locate
        default: return nil
        }
    }
}

extension UnreliableReasons {
    /// Each reason with its word, in the order in which they are written.
    static func forEachWord(_ body: (UnreliableReasons, StaticString) -> Void) {
        body(.accuracy, "accuracy")
        body(.coordinate, "coordinate")
        body(.providerUnavailable, "providerUnavailable")
        body(.noFix, "noFix")
        body(.clock, "clock")
        body(.other, "other")
    }

    init(word: JSONWord) {
        switch word {
        case "accuracy": self = .accuracy
        case "coordinate": self = .coordinate
        case "providerUnavailable": self = .providerUnavailable
        case "noFix": self = .noFix
        case "clock": self = .clock
        default: self = .other
        }
    }
}
