public import Foundation
public import Positioning

extension UTCInstant {
    /// The instant of a date, at millisecond resolution; beyond the range of `Int64` the nearest that is within.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }
}

extension Date {
    /// The date of an instant.
    public init(_ instant: UTCInstant) {
        self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    }
}

extension Location {
    /// ``Positioning/Location/timestamp`` as a date.
    public var date: Date? {
        get { timestamp.map { Date($0) } }
        set { timestamp = newValue.map { UTCInstant($0) } }
    }

    /// How long ago the position was true, by the host's clock; negative when that is behind, `nil` when it is undated.
    public func age(at now: Date = Date()) -> Duration? { timestamp.map { UTCInstant(now) - $0 } }
}
