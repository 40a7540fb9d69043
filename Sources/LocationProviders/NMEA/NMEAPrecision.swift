/// What the GSA sentences of an epoch say. Many receivers send them less often than positions: it holds for a while.
struct NMEAPrecision: Equatable, Sendable {
    /// Milliseconds: what GSA said is not known any longer after this.
    static let lifetime: Int32 = 10_000

    /// The best of any constellation: 1 no fix, 2 two dimensions, 3 three; 0 where no GSA came.
    var dimension: UInt8 = 0
    var hdop: Double?
}
