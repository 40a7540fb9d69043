internal import Positioning

// The enumerations of fleet.proto. A number that is not known is tolerated: what it would have said is unknown.

extension FixType {
    var number: Int64? {
        switch self {
        case .unknown: nil
        case .none: 1
        case .deadReckoning: 2
        case .twoD: 3
        case .threeD: 4
        case .differential: 5
        case .rtkFloat: 6
        case .rtkFixed: 7
        case .manual: 8
        }
    }

    init(number: Int64) {
        switch number {
        case 1: self = .none
        case 2: self = .deadReckoning
        case 3: self = .twoD
        case 4: self = .threeD
        case 5: self = .differential
        case 6: self = .rtkFloat
        case 7: self = .rtkFixed
        case 8: self = .manual
        default: self = .unknown
        }
    }
}

extension Motion {
    var number: Int64 {
        switch self {
        case .moving: 1
        case .stationary: 2
        }
    }

    init?(number: Int64) {
        switch number {
        case 1: self = .moving
        case 2: self = .stationary
        default: return nil
        }
    }
}

extension ReportTrigger {
    var number: Int64 {
        switch self {
        case .first: 1
        case .error: 2
        case .interval: 3
        case .distance: 4
        case .heading: 5
        case .speed: 6
        case .motion: 7
        case .reconnect: 8
        case .demand: 9
        case .locate: 10
        }
    }

    init?(number: Int64) {
        switch number {
        case 1: self = .first
        case 2: self = .error
        case 3: self = .interval
        case 4: self = .distance
        case 5: self = .heading
        case 6: self = .speed
        case 7: self = .motion
        case 8: self = .reconnect
        case 9: self = .demand
        case 10: self = .locate
        default: return nil
        }
    }
}

extension UnreliableReasons {
    private static let known: UnreliableReasons = [.accuracy, .coordinate, .providerUnavailable, .noFix, .clock]

    /// The sum of the reasons; `nil` where there is none.
    var number: Int64? {
        if isEmpty { return nil }
        let known = intersection(Self.known)
        return Int64(self == known ? known.rawValue : known.union(.other).rawValue)
    }

    init(number: Int64) {
        let known = UnreliableReasons(rawValue: UInt8(truncatingIfNeeded: number)).intersection(Self.known)
        self = Int64(known.rawValue) == number ? known : known.union(.other)
    }
}

/// The bits of `flags`.
enum CompactFlags {
    static let simulated: Int64 = 1
    static let extrapolated: Int64 = 2
    static let accuracyAssumed: Int64 = 4

    /// The sum of those that apply; `nil` where none does.
    static func number(_ location: Location) -> Int64? {
        var flags: Int64 = 0
        if location.isSimulated { flags |= simulated }
        if location.isExtrapolated { flags |= extrapolated }
        if location.isAccuracyAssumed, location.hasUsableAccuracy { flags |= accuracyAssumed }
        return flags == 0 ? nil : flags
    }
}
