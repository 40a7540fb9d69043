/// Whether the host's wall clock can be believed (SEMANTICS rule 17): gateways without a battery-backed clock start in
/// 1970 or where they were switched off, always before the day this software was released.
public enum ClockTrust {
    /// 2026-11-30T00:00:00Z: a clock that shows less was not set since boot.
    public static let floor = UTCInstant(milliseconds: 1_795_996_800_000)

    /// `reading`, or `nil` when it is before ``floor``.
    public static func trusted(_ reading: UTCInstant) -> UTCInstant? { reading < floor ? nil : reading }
}
