extension Double {
    /// The number in whole units of 10^-`decimals` (0 to 9), rounded exactly as its text of so many decimals is; `nil`
    /// for NaN and where the units reach 2^53, from where on a text of so many decimals reads back as the very number.
    @inline(__always)
    public func units(decimals: Int) -> Int64? {
        let scaled = self * PowersOfTen.doubles[decimals]
        // Beneath 2^40 the product is off by less than a thousandth of a unit.
        if scaled.magnitude < 0x1p40 {
            let nearest = Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
            if (scaled - Double(nearest)).magnitude < 0.499 { return nearest }
        }
        return exactUnits(decimals: decimals)
    }

    /// The number of which ``units(decimals:)`` are `units`: what the text of so many decimals reads as.
    @inline(__always)
    public init(units: Int64, decimals: Int) {
        // Both are exact beneath 2^53, so that this is the number nearest to the decimal one.
        self = Double(units) / PowersOfTen.doubles[decimals]
    }

    @inline(never)
    private func exactUnits(decimals: Int) -> Int64? {
        guard magnitude < 0x1p53 else { return nil }
        let (whole, fraction) = decimalParts(magnitude, decimals: decimals)
        let (product, overflow) = whole.multipliedReportingOverflow(by: PowersOfTen.integers[decimals])
        let units = product &+ fraction
        guard !overflow, units < 1 << 53 else { return nil }
        return self < 0 ? -Int64(units) : Int64(units)
    }
}

/// A magnitude beneath 2^53, correctly rounded from its exact value to so many decimals with ties to even: its whole part
/// and the units of 10^-`decimals` behind it.
@inline(__always)
func decimalParts(_ magnitude: Double, decimals: Int) -> (whole: UInt64, fraction: UInt64) {
    let scale = PowersOfTen.integers[decimals]
    var whole = UInt64(magnitude)
    // The difference is exact, and so is the scale: one rounding, undone below where it hides a tie.
    let rest = magnitude - Double(whole)
    let scaled = rest * Double(scale)
    var rounded = scaled.rounded(.toNearestOrEven)
    if (scaled - rounded).magnitude == 0.5 {
        let error = (-scaled).addingProduct(rest, Double(scale))
        if error != 0 {
            rounded = error > 0 ? scaled.rounded(.up) : scaled.rounded(.down)
        } else if decimals == 0 {
            // Here alone the last digit, which is to be even, is the whole's.
            rounded = whole % 2 == 0 ? 0 : 1
        }
    }
    var fraction = UInt64(rounded)
    if fraction >= scale {
        whole += 1
        fraction -= scale
    }
    return (whole, fraction)
}
