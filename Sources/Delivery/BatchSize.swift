/// How many reports the next batch may carry: fewer after one that the broker did not take, more again with each that
/// it took.
struct BatchSize {
    private let maximum: Int
    /// What is known to be too large is not tried again on this connection.
    private var ceiling: Int
    private(set) var count: Int

    init(maximum: Int) {
        self.maximum = max(1, maximum)
        ceiling = self.maximum
        count = self.maximum
    }

    mutating func reset() { self = BatchSize(maximum: maximum) }

    mutating func tooLarge(_ size: Int) {
        ceiling = max(1, min(ceiling, size - 1))
        count = max(1, min(count, size / 2, ceiling))
    }

    mutating func refused(_ size: Int) { count = max(1, min(count, size / 2)) }

    mutating func accepted() { count = min(ceiling, count + max(1, count / 4)) }
}
