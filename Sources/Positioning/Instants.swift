/// A point in time on the UTC scale, in milliseconds since 1970-01-01T00:00:00Z without leap seconds.
///
/// What a receiver or a trusted host clock says; order across restarts comes from ``ReportIdentity``, never from this
/// alone (SEMANTICS rule 17).
public struct UTCInstant: Hashable, Comparable, Sendable {
    /// Milliseconds since the Unix epoch; negative before 1970.
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (a: UTCInstant, b: UTCInstant) -> Bool { a.milliseconds < b.milliseconds }

    /// The instant moved by `duration`, at millisecond resolution; saturates instead of overflowing.
    public static func + (a: UTCInstant, duration: Duration) -> UTCInstant {
        let (sum, overflow) = a.milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        return UTCInstant(milliseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    public static func - (a: UTCInstant, b: UTCInstant) -> Duration {
        .milliseconds(a.milliseconds) - .milliseconds(b.milliseconds)
    }
}

/// A point in time on the host's monotonic clock, which keeps counting while the host is suspended (CLOCK_BOOTTIME),
/// in nanoseconds since an arbitrary origin. Comparable only within one boot of one host.
public struct MonotonicInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's origin.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (a: MonotonicInstant, b: MonotonicInstant) -> Bool { a.nanoseconds < b.nanoseconds }

    /// The instant moved by `duration`; saturates instead of overflowing.
    public static func + (a: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = a.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return MonotonicInstant(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    public static func - (a: MonotonicInstant, b: MonotonicInstant) -> Duration {
        .nanoseconds(a.nanoseconds) - .nanoseconds(b.nanoseconds)
    }

    /// Nanoseconds since an earlier instant of the same clock: for hot paths, where the arithmetic of `Duration`, which
    /// is 128 bits wide, counts.
    @inlinable
    public func nanoseconds(since earlier: MonotonicInstant) -> Int64 { nanoseconds &- earlier.nanoseconds }

    /// The instant moved by nanoseconds; saturates instead of overflowing.
    @inlinable
    public func advanced(byNanoseconds distance: Int64) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(distance)
        return MonotonicInstant(nanoseconds: overflow ? (distance < 0 ? .min : .max) : sum)
    }
}

extension Duration {
    /// Whole nanoseconds, rounded towards zero, saturated to the range of `Int64` (about 292 years).
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carry ? (seconds < 0 ? .min : .max) : sum
    }

    /// Whole milliseconds, rounded towards zero, saturated to the range of `Int64`.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return carry ? (seconds < 0 ? .min : .max) : sum
    }

    /// The duration in seconds as a floating-point number.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
