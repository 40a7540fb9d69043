/// Follows a quantile of a stream of positive numbers in one number of memory: up a little when exceeded, down a little
/// when not, in the proportion that balances at the quantile. One wild value moves it no further than any other.
struct QuantileEstimate: Equatable, Sendable {
    private(set) var value: Double
    private let up: Double
    private let down: Double
    private let range: ClosedRange<Double>

    /// - Parameters:
    ///   - quantile: 0.5 for the median.
    ///   - rate: the share by which one value moves the estimate at the most.
    ///   - initial: within `range`, which the estimate never leaves.
    init(quantile: Double, rate: Double, initial: Double, range: ClosedRange<Double>) {
        value = initial
        self.range = range
        up = 1 + rate * quantile
        down = 1 / (1 + rate * (1 - quantile))
    }

    mutating func take(_ sample: Double) {
        value = min(max(value * (sample > value ? up : down), range.lowerBound), range.upperBound)
    }
}
